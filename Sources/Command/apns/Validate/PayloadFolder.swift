import PayloadLint

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The payload files in a folder and its subfolders, in the order of their paths. Names that begin with a dot are
/// skipped, and a folder that is reached again through a link is searched once.
struct PayloadFolder {
    static let endings = ["*.json", "*.apns", "*.ndjson", "*.jsonl"]

    private(set) var files: [String] = []
    /// The files that list rules to ignore in a payload file.
    private(set) var sidecars: Set<String> = []
    private(set) var errors: [FileError] = []
    private var visited: Set<FileIdentity> = []

    /// An entry of a folder.
    private struct Entry {
        var name: String
        /// Whether the folder lists it as a regular file; false also where the file system does not say.
        var isSurelyFile: Bool
    }

    init(_ path: String) {
        search(path)
    }

    static func isFolder(_ path: String) -> Bool { FileIdentity(path: path, .folder) != nil }

    private mutating func search(_ path: String) {
        guard let folder = FileIdentity(path: path, .folder), visited.insert(folder).inserted else { return }
        let entries: [Entry]
        do throws(FileError) {
            entries = try PayloadFolder.entries(of: path).sorted { $0.name < $1.name }
        } catch {
            return errors.append(error)
        }
        let prefix = path.hasSuffix("/") ? path : path + "/"
        for entry in entries {
            let path = prefix + entry.name
            if entry.isSurelyFile {
                if PayloadFolder.isPayload(entry.name) {
                    files.append(path)
                } else if PayloadFolder.isSidecar(entry.name) {
                    sidecars.insert(path)
                }
            } else if PayloadFolder.isFolder(path) {
                search(path)
            } else if !PayloadFolder.isPipeOrDevice(path) {
                if PayloadFolder.isPayload(entry.name) { files.append(path) }
                if PayloadFolder.isSidecar(entry.name) { sidecars.insert(path) }
            }
        }
    }

    private static func isSidecar(_ name: String) -> Bool { name.hasSuffix(Suppression.sidecarEnding) }

    private static let suffixes = endings.map { Array($0.utf8.dropFirst()) }

    private static func isPayload(_ name: String) -> Bool {
        let name = name.utf8
        return suffixes.contains { suffix in
            name.count > suffix.count
                && zip(name.suffix(suffix.count), suffix).allSatisfy { byte, wanted in
                    byte == wanted || (0x41...0x5A).contains(byte) && byte | 0x20 == wanted
                }
        }
    }

    /// A pipe or device that was only found is skipped, because reading it could block.
    static func isPipeOrDevice(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && ![S_IFREG, S_IFDIR].contains(facts.st_mode & S_IFMT)
    }

    private static func entries(of path: String) throws(FileError) -> [Entry] {
        guard let folder = opendir(path) else { throw FileError(path, errno: errno) }
        defer { closedir(folder) }
        var entries: [Entry] = []
        while let entry = readdir(folder) {
            // Not copied as a value, because the record may be shorter than the type.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
            let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            guard name[0] != CChar(UInt8(ascii: ".")) else { continue }
            entries.append(
                Entry(name: String(cString: name), isSurelyFile: Int(entry.pointee.d_type) == Int(DT_REG)))
        }
        return entries
    }
}
