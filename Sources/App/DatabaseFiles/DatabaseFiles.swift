import Foundation

/// The files of an app's SQLite database: SQLite's three files, the mark of damage, the new file of a replacement, and the
/// damaged files that were set aside.
///
/// A replacement is one rename of a complete file. If the process ends at any instruction, the next opening finds the old
/// files or finishes the replacement.
package struct DatabaseFiles {
    /// What could not be done with a file. The owner of the database has an error of its own for it.
    package struct Failure: Error {
        package enum Kind { case notCreated, notMoved, notRemoved }

        package let kind: Kind
        /// The path of the file.
        package let file: String
        /// What is wrong and what to do.
        package let detail: String
    }

    /// How many damaged files are kept; the oldest is deleted.
    private static let maximumAside = 3

    package let main: String
    private let setsProtection: Bool
    private let error: @Sendable (Failure) -> any Error

    package var log: String { main + "-wal" }
    /// The new file of a replacement, until it is renamed.
    package var fresh: String { main + "-new" }
    /// Exists while the file is known to be damaged.
    package var mark: String { main + "-damaged" }

    /// - Parameters:
    ///   - main: The path of the database.
    ///   - setsProtection: Whether new files can be used while the device is locked, but not before its first unlock. Otherwise
    ///     they get the protection class that the app has for new files. Only iOS and its relatives have such classes.
    ///   - error: What is thrown for a failure.
    package init(main: String, setsProtection: Bool, error: @escaping @Sendable (Failure) -> any Error) {
        self.main = main
        self.setsProtection = setsProtection
        self.error = error
    }

    // State.

    package static func exists(_ path: String) -> Bool { status(path) != nil }

    /// 0 if there is no file.
    package static func bytes(_ path: String) -> Int64 { status(path).map { Int64($0.st_size) } ?? 0 }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    package var isFolder: Bool { DatabaseFiles.status(main).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

    /// The mark contains the inode of the damaged file, so that it does not apply to a file that replaces it.
    package var isMarkedDamaged: Bool {
        guard let name = fileNumber, let marked = FileManager.default.contents(atPath: mark) else { return false }
        return marked == Data(name.utf8)
    }

    private var fileNumber: String? { DatabaseFiles.status(main).map { String($0.st_ino) } }

    /// Marks the file for the next opening. If the mark cannot be written, the damage is found again later.
    package func markDamaged() {
        guard !isMarkedDamaged, let name = fileNumber else { return }
        try? FileManager.default.removeItem(atPath: mark)
        guard (try? makePrivate(mark)) != nil else { return }
        try? Data(name.utf8).write(to: URL(fileURLWithPath: mark))
    }

    /// Creates an empty file that only its owner can read, unless there is one. SQLite creates its other files with the same
    /// mode.
    ///
    /// - Throws: The owner's error for a `Failure`.
    package func makePrivate(_ path: String) throws {
        guard !DatabaseFiles.exists(path) else { return }
        var attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            if setsProtection {
                attributes[.protectionKey] = FileProtectionType.completeUntilFirstUserAuthentication
            }
        #endif
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: attributes) else {
            throw error(
                Failure(
                    kind: .notCreated, file: path,
                    detail: "cannot be created; check that the folder exists and is writable"))
        }
    }

    // Replacing.

    /// Whether a replacement is going on or was interrupted.
    package var isReplacing: Bool { DatabaseFiles.exists(fresh) }

    package func removeFresh() { DatabaseFiles.remove(fresh) }

    /// Finishes or undoes a replacement that was interrupted. No other process may do so at the same time.
    ///
    /// - Throws: The owner's error for a `Failure`.
    package func finishReplacement() throws {
        guard isReplacing else { return }
        if DatabaseFiles.exists(main) {
            // The old file was not moved, so this one may not be complete.
            removeFresh()
        } else {
            try moveLogs(to: asides.last ?? nextAside)
            try move(fresh, to: main)
        }
    }

    /// Sets the damaged files aside and renames the complete new file to their name.
    ///
    /// - Returns: The new path of the damaged file, which was `nextAside`.
    /// - Throws: The owner's error for a `Failure`.
    @discardableResult
    package func replace() throws -> String {
        let aside = nextAside
        // SQLite would apply the log of the old file to the new one, so both old files are moved first.
        try move(main, to: aside)
        try moveLogs(to: aside)
        try move(fresh, to: main)
        try? FileManager.default.removeItem(atPath: mark)
        for old in asides.dropLast(DatabaseFiles.maximumAside) { DatabaseFiles.remove(old) }
        return aside
    }

    private func moveLogs(to aside: String) throws {
        if DatabaseFiles.exists(log) { try move(log, to: aside + "-wal") }
        // SQLite creates it again from the log.
        try? FileManager.default.removeItem(atPath: main + "-shm")
    }

    private func move(_ old: String, to new: String) throws {
        guard rename(old, new) == 0 else {
            throw error(
                Failure(
                    kind: .notMoved, file: old, detail: "cannot be moved to \(new); check the permissions of its folder"
                ))
        }
    }

    /// Deletes a database and the files that SQLite has next to it, as far as the system lets it.
    package static func remove(_ path: String) {
        for file in [path, path + "-wal", path + "-shm", path + "-journal"] where exists(file) {
            try? FileManager.default.removeItem(atPath: file)
        }
    }

    /// - Throws: If the file is still there.
    package func checkRemoved(_ path: String) throws {
        guard DatabaseFiles.exists(path) else { return }
        throw error(
            Failure(
                kind: .notRemoved, file: path, detail: "cannot be removed; check the permissions of its folder"))
    }

    // Files set aside.

    /// The oldest first.
    package var asides: [String] {
        let url = URL(fileURLWithPath: main)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
        let prefix = url.lastPathComponent + asidePrefix
        return names.filter { $0.hasPrefix(prefix) }.compactMap { Int($0.dropFirst(prefix.count)) }.sorted()
            .map { main + asidePrefix + String($0) }
    }

    /// The path that the damaged file will have.
    package var nextAside: String {
        let last = asides.last.flatMap { Int($0.dropFirst((main + asidePrefix).count)) } ?? 0
        return main + asidePrefix + String(last + 1)
    }

    private var asidePrefix: String { "-aside-" }
}
