import Foundation

/// The files of a store: SQLite's three, and those that tell of damage and of a replacement under way.
///
/// A replacement is one rename of a file that is complete. Whatever instruction it is broken off at, the next opening
/// finds the old files, or finishes what was begun.
struct StoreFiles {
    /// Copies of damaged files that are kept; the oldest makes room.
    static let maximumAside = 3

    let main: String

    var log: String { main + "-wal" }
    /// The new file until it takes its place.
    var fresh: String { main + "-new" }
    /// There while the file is known to be damaged.
    private var mark: String { main + "-damaged" }

    // MARK: - What is there

    static func exists(_ path: String) -> Bool { status(path) != nil }

    /// 0 where there is no file.
    static func bytes(_ path: String) -> Int64 { status(path).map { Int64($0.st_size) } ?? 0 }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    var isFolder: Bool { StoreFiles.status(main).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

    /// SQLite takes an empty file for a new database and throws away its log, which may hold all there was.
    var isCutOff: Bool { StoreFiles.exists(main) && StoreFiles.bytes(main) == 0 && StoreFiles.bytes(log) > 0 }

    /// The mark names the file that it is about, so that it says nothing about the one in its place.
    var isMarkedDamaged: Bool {
        guard let name = fileNumber, let marked = FileManager.default.contents(atPath: mark) else { return false }
        return marked == Data(name.utf8)
    }

    private var fileNumber: String? { StoreFiles.status(main).map { String($0.st_ino) } }

    /// For the next opening. Best effort: where no file can be made the damage is found once more.
    func markDamaged() {
        guard !isMarkedDamaged, let name = fileNumber else { return }
        try? FileManager.default.removeItem(atPath: mark)
        guard (try? StoreFiles.makePrivate(mark)) != nil else { return }
        try? Data(name.utf8).write(to: URL(fileURLWithPath: mark))
    }

    /// Readable by its owner alone; SQLite gives its other files the mode of this one.
    static func makePrivate(_ path: String) throws {
        guard !exists(path) else { return }
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: mode) else {
            throw SQLiteStoreError(
                code: .unusable, file: path, detail: "cannot be made; check that the folder exists and is writable")
        }
    }

    // MARK: - Replacing

    /// Brings a replacement that was broken off to its end.
    func finishReplacement() throws {
        guard StoreFiles.exists(fresh) else { return }
        if StoreFiles.exists(main) {
            // The old file was not moved, so this one may not be complete.
            removeFresh()
        } else {
            try moveLogs(to: newestAside ?? nextAside())
            try move(fresh, to: main)
        }
    }

    /// Puts the damaged files aside and the complete new one in their place.
    ///
    /// - Returns: Where the damaged file is now.
    func replace() throws -> String {
        let aside = nextAside()
        // The log of the old file must never meet the new one: it is moved, or found without its file, before that.
        try move(main, to: aside)
        try moveLogs(to: aside)
        try move(fresh, to: main)
        try? FileManager.default.removeItem(atPath: mark)
        for old in asides().dropLast(StoreFiles.maximumAside) { StoreFiles.remove(old) }
        return aside
    }

    func removeFresh() { StoreFiles.remove(fresh) }

    private func moveLogs(to aside: String) throws {
        if StoreFiles.exists(log) { try move(log, to: aside + "-wal") }
        // Made anew from the log.
        try? FileManager.default.removeItem(atPath: main + "-shm")
    }

    static func remove(_ path: String) {
        for file in [path, path + "-wal", path + "-shm", path + "-journal"] where exists(file) {
            try? FileManager.default.removeItem(atPath: file)
        }
    }

    private func move(_ old: String, to new: String) throws {
        guard rename(old, new) == 0 else {
            throw SQLiteStoreError(
                code: .io, file: old, detail: "cannot be moved to \(new); check the rights of its folder")
        }
    }

    // MARK: - What was put aside

    /// The oldest first.
    func asides() -> [String] {
        let url = URL(fileURLWithPath: main)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
        let prefix = url.lastPathComponent + asidePrefix
        return names.filter { $0.hasPrefix(prefix) }.compactMap { Int($0.dropFirst(prefix.count)) }.sorted()
            .map { main + asidePrefix + String($0) }
    }

    private var asidePrefix: String { "-aside-" }

    private var newestAside: String? { asides().last }

    private func nextAside() -> String {
        let last = newestAside.flatMap { Int($0.dropFirst((main + asidePrefix).count)) } ?? 0
        return main + asidePrefix + String(last + 1)
    }
}
