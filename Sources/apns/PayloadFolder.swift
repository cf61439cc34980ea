#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The payload files in a folder and the folders in it, in the order of their paths. Names that begin with a dot are left
/// out, and a folder that links lead to again is searched once.
struct PayloadFolder {
    static let endings = ["*.json", "*.apns", "*.ndjson", "*.jsonl"]

    private(set) var files: [String] = []
    private(set) var errors: [FileError] = []
    private var visited: Set<Identity> = []

    private struct Identity: Hashable {
        var device: UInt64
        var number: UInt64
    }

    init(_ path: String) {
        search(path)
    }

    static func isFolder(_ path: String) -> Bool { identity(ofFolder: path) != nil }

    private mutating func search(_ path: String) {
        guard let identity = PayloadFolder.identity(ofFolder: path), visited.insert(identity).inserted else { return }
        let names: [String]
        do throws(FileError) {
            names = try PayloadFolder.names(in: path).sorted()
        } catch {
            return errors.append(error)
        }
        for name in names where !name.hasPrefix(".") {
            let entry = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
            if PayloadFolder.isFolder(entry) {
                search(entry)
            } else if PayloadFolder.isPayload(name), !PayloadFolder.isPipeOrDevice(entry) {
                files.append(entry)
            }
        }
    }

    private static func isPayload(_ name: String) -> Bool {
        let name = name.lowercased()
        return endings.contains { name.hasSuffix($0.dropFirst()) }
    }

    /// Reading one that nobody named could wait for ever.
    private static func isPipeOrDevice(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT != S_IFREG
    }

    private static func identity(ofFolder path: String) -> Identity? {
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return nil }
        return Identity(
            device: UInt64(truncatingIfNeeded: facts.st_dev), number: UInt64(truncatingIfNeeded: facts.st_ino))
    }

    private static func names(in path: String) throws(FileError) -> [String] {
        guard let folder = opendir(path) else { throw FileError(path, errno: errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            // Not by value: the record may be shorter than the type.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
            let name = UnsafeRawPointer(entry) + offset
            names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
        }
        return names
    }
}
