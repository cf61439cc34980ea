import DatabaseFiles
import EventDelivery
import Foundation
import GRDB

/// What only the store of events does with its files. They have a lock, because several processes may find the same damage.
extension DatabaseFiles {
    /// - Parameter file: The path of the database.
    init(ofEvents file: String) {
        // Events are captured while the device is locked, too.
        self.init(main: file, setsProtection: true) {
            EventStoreError(code: $0.kind == .notCreated ? .unusable : .io, file: $0.file, detail: $0.detail)
        }
    }

    /// Whether the file was truncated. SQLite takes a file without a first page for a new database and deletes its log, and
    /// fills a last page that is not whole with zeros. With a log that is right: a write of the page was interrupted.
    var isCutOff: Bool {
        guard DatabaseFiles.exists(main) else { return false }
        let bytes = DatabaseFiles.bytes(main)
        let logBytes = DatabaseFiles.bytes(log)
        if hasNoPage { return bytes > 0 || logBytes > 0 }
        return logBytes == 0 && bytes % 512 != 0
    }

    /// Whether the file has no first page.
    var hasNoPage: Bool { DatabaseFiles.bytes(main) < 512 }

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

    var nextAsideName: String { URL(fileURLWithPath: nextAside).lastPathComponent }

    /// What a `RecoveryMark` in the file says. The folder can have moved meanwhile.
    func recovery(_ mark: [UInt8]) throws -> StoreRecovery {
        guard let mark = try? JSONDecoder().decode(RecoveryMark.self, from: Data(mark)) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        let folder = URL(fileURLWithPath: main).deletingLastPathComponent()
        return StoreRecovery(setAside: folder.appendingPathComponent(mark.name).path, events: mark.events)
    }
}
