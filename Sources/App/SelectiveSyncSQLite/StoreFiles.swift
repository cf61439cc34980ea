import Foundation

/// The files of a store: SQLite's three files, the mark of damage, and the new file of a replacement.
///
/// A replacement is one rename of a complete file. If the process ends at any instruction, the next opening finds the old
/// files or finishes the replacement.
struct StoreFiles {
    /// How many damaged files are kept; the oldest is deleted.
    static let maximumAside = 3

    let main: String

    var log: String { main + "-wal" }
    /// The new file of a replacement, until it is renamed.
    var fresh: String { main + "-new" }
    /// Exists while the file is known to be damaged.
    private var mark: String { main + "-damaged" }

    /// The paths of all files that exist: the database, its log, the mark of damage, and the damaged files.
    var all: [String] {
        ([main, fresh, mark] + asides()).flatMap { [$0, $0 + "-wal", $0 + "-shm", $0 + "-journal"] }
            .filter(StoreFiles.exists)
    }

    // State.

    static func exists(_ path: String) -> Bool { status(path) != nil }

    /// 0 if there is no file.
    static func bytes(_ path: String) -> Int64 { status(path).map { Int64($0.st_size) } ?? 0 }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    var isFolder: Bool { StoreFiles.status(main).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

    /// Whether the file was truncated. SQLite takes an empty file for a new database and deletes its log, which may contain
    /// all the data.
    var isCutOff: Bool { StoreFiles.exists(main) && StoreFiles.bytes(main) == 0 && StoreFiles.bytes(log) > 0 }

    /// The mark contains the inode of the damaged file, so that it does not apply to a file that replaces it.
    var isMarkedDamaged: Bool {
        guard let name = fileNumber, let marked = FileManager.default.contents(atPath: mark) else { return false }
        return marked == Data(name.utf8)
    }

    private var fileNumber: String? { StoreFiles.status(main).map { String($0.st_ino) } }

    /// Marks the file for the next opening. If the mark cannot be written, the damage is found again later.
    func markDamaged() {
        guard !isMarkedDamaged, let name = fileNumber else { return }
        try? FileManager.default.removeItem(atPath: mark)
        guard (try? StoreFiles.makePrivate(mark)) != nil else { return }
        try? Data(name.utf8).write(to: URL(fileURLWithPath: mark))
    }

    /// Creates a file that only its owner can read. SQLite creates its other files with the same mode.
    static func makePrivate(_ path: String) throws {
        guard !exists(path) else { return }
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: mode) else {
            throw SQLiteStoreError(
                code: .unusable, file: path, detail: "cannot be created; check that the folder exists and is writable")
        }
    }

    // Replacing.

    /// Finishes or undoes a replacement that was interrupted.
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

    /// Sets the damaged files aside and renames the complete new file to their name.
    ///
    /// - Returns: The new path of the damaged file.
    func replace() throws -> String {
        let aside = nextAside()
        // SQLite would apply the log of the old file to the new one, so both old files are moved first.
        try move(main, to: aside)
        try moveLogs(to: aside)
        try move(fresh, to: main)
        try? FileManager.default.removeItem(atPath: mark)
        for old in asides().dropLast(StoreFiles.maximumAside) { StoreFiles.remove(old) }
        return aside
    }

    func removeFresh() { StoreFiles.remove(fresh) }

    // Removing.

    /// A copy with a correct header, while a damaged file is read.
    var repaired: String { main + "-repair" }

    /// Removes all files that may contain records, besides those that SQLite uses.
    ///
    /// - Throws: `SQLiteStoreError` if one is left.
    func removeCopies() throws {
        for copy in asides() + [fresh, repaired] {
            StoreFiles.remove(copy)
            try checkRemoved(copy)
        }
    }

    /// Removes all files, the main file last: without it SQLite would take the log for that of a new database.
    ///
    /// - Throws: `SQLiteStoreError` if one is left.
    func removeAll() throws {
        try removeCopies()
        for path in [log, main + "-shm", main + "-journal", main, mark] where StoreFiles.exists(path) {
            try? FileManager.default.removeItem(atPath: path)
            try checkRemoved(path)
        }
    }

    private func checkRemoved(_ path: String) throws {
        guard StoreFiles.exists(path) else { return }
        throw SQLiteStoreError(
            code: .io, file: path, detail: "cannot be removed; check the permissions of its folder")
    }

    private func moveLogs(to aside: String) throws {
        if StoreFiles.exists(log) { try move(log, to: aside + "-wal") }
        // SQLite creates it again from the log.
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
                code: .io, file: old, detail: "cannot be moved to \(new); check the permissions of its folder")
        }
    }

    // Files set aside.

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
