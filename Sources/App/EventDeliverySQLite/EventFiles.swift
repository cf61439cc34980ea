import EventDelivery
import Foundation
import GRDB

/// The files of a store: SQLite's three files, the mark of damage, the new file of a replacement and its lock.
///
/// A replacement is one rename of a complete file. If the process ends at any instruction, the next opening finds the old
/// files or finishes the replacement.
struct EventFiles {
    /// How many damaged files are kept; the oldest is deleted.
    static let maximumAside = 3

    let main: String

    var log: String { main + "-wal" }
    /// The new file of a replacement, until it is renamed.
    var fresh: String { main + "-new" }
    /// Exists while the file is known to be damaged.
    private var mark: String { main + "-damaged" }

    // State.

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    static func exists(_ path: String) -> Bool { status(path) != nil }

    var isFolder: Bool { EventFiles.status(main).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

    /// Whether the file was truncated. SQLite takes a file without a first page for a new database and deletes its log, and
    /// fills a last page that is not whole with zeros. With a log that is right: a write of the page was interrupted.
    var isCutOff: Bool {
        guard let file = EventFiles.status(main) else { return false }
        let logBytes = EventFiles.status(log)?.st_size ?? 0
        if file.st_size < 512 { return file.st_size > 0 || logBytes > 0 }
        return logBytes == 0 && file.st_size % 512 != 0
    }

    /// The mark contains the inode of the damaged file, so that it does not apply to a file that replaces it.
    var isMarkedDamaged: Bool {
        guard let name = fileNumber, let marked = FileManager.default.contents(atPath: mark) else { return false }
        return marked == Data(name.utf8)
    }

    /// Whether the file has no first page.
    var hasNoPage: Bool { (EventFiles.status(main)?.st_size ?? 0) < 512 }

    private var fileNumber: String? { EventFiles.status(main).map { String($0.st_ino) } }

    /// Marks the file for the next opening. If the mark cannot be written, the damage is found again later.
    func markDamaged() {
        guard !isMarkedDamaged, let name = fileNumber else { return }
        try? FileManager.default.removeItem(atPath: mark)
        guard (try? EventFiles.makePrivate(mark)) != nil else { return }
        try? Data(name.utf8).write(to: URL(fileURLWithPath: mark))
    }

    /// Creates a file that only its owner can read. SQLite creates its other files with the same mode.
    static func makePrivate(_ path: String) throws {
        guard !exists(path) else { return }
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            // Events are captured while the device is locked, too, but not before its first unlock.
            let attributes: [FileAttributeKey: Any] = [
                .posixPermissions: 0o600, .protectionKey: FileProtectionType.completeUntilFirstUserAuthentication,
            ]
        #else
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        #endif
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: attributes) else {
            throw EventStoreError(
                code: .unusable, file: path, detail: "cannot be created; check that the folder exists and is writable")
        }
    }

    // Replacing.

    /// Whether a replacement is going on or was interrupted.
    var isReplacing: Bool { EventFiles.exists(fresh) }

    /// Calls `body` while no other process replaces the file. The file of the lock stays.
    func whileReplacing<Result>(_ body: () throws -> Result) throws -> Result {
        let path = main + "-lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw EventStoreError(
                code: .unusable, file: path, detail: "cannot be created; check that the folder exists and is writable")
        }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw EventStoreError(
                code: .busy, file: main,
                detail: "another process repairs it; give each queue and each process its own file")
        }
        return try body()
    }

    /// Finishes or undoes a replacement that was interrupted. Call it in `whileReplacing`.
    func finishReplacement() throws {
        guard EventFiles.exists(fresh) else { return }
        if EventFiles.exists(main) {
            // The old file was not moved, so this one may not be complete.
            EventFiles.remove(fresh)
        } else {
            try moveLogs(to: asides().last ?? nextAside())
            try move(fresh, to: main)
        }
    }

    /// Sets the damaged files aside and renames the complete new file to their name.
    ///
    /// The name of the damaged file is then `nextAsideName`.
    func replace() throws {
        let aside = nextAside()
        // SQLite would apply the log of the old file to the new one, so both old files are moved first.
        try move(main, to: aside)
        try moveLogs(to: aside)
        try move(fresh, to: main)
        try? FileManager.default.removeItem(atPath: mark)
        for old in asides().dropLast(EventFiles.maximumAside) { EventFiles.remove(old) }
    }

    var nextAsideName: String { URL(fileURLWithPath: nextAside()).lastPathComponent }

    /// What a `RecoveryMark` in the file says. The folder can have moved meanwhile.
    func recovery(_ mark: [UInt8]) throws -> StoreRecovery {
        guard let mark = try? JSONDecoder().decode(RecoveryMark.self, from: Data(mark)) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        let folder = URL(fileURLWithPath: main).deletingLastPathComponent()
        return StoreRecovery(setAside: folder.appendingPathComponent(mark.name).path, events: mark.events)
    }

    private func moveLogs(to aside: String) throws {
        if EventFiles.exists(log) { try move(log, to: aside + "-wal") }
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
            throw EventStoreError(
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

    private func nextAside() -> String {
        let last = asides().last.flatMap { Int($0.dropFirst((main + asidePrefix).count)) } ?? 0
        return main + asidePrefix + String(last + 1)
    }
}
