import DatabaseFiles
import Foundation
import GRDB
import SelectiveSync

// Deleting everything for good. Deleted values are overwritten with zeros (`secure_delete`); then the file is rebuilt and its log
// is emptied, because both may still contain pages from before.
extension SQLiteStore {
    /// Also deletes damaged files that were set aside.
    public func erase(discardingEdits: Bool) async throws {
        try await change { try $0.erase(discardingEdits: discardingEdits) }
        let files = DatabaseFiles(ofRecords: file)
        do {
            // Without a barrier: an observation that reads again inside a write would wait for the barrier, and the barrier for it.
            // Emptying the log waits for the readers that have begun.
            try await pool.writeWithoutTransaction { try SQLiteStore.finishErasing($0, files) }
        } catch {
            throw failure(error)
        }
    }

    /// Finishes what an earlier process has begun.
    static func finishErasing(_ pool: DatabasePool, _ file: String) throws {
        // By the connection that writes: one that only reads would keep the log from being removed when the file is closed.
        // Damage of its page is found by the first call that needs it.
        guard (try? pool.writeWithoutTransaction({ try StoreTransaction($0).isErasing })) == true else { return }
        try pool.barrierWriteWithoutTransaction { try finishErasing($0, DatabaseFiles(ofRecords: file)) }
    }

    private static func finishErasing(_ db: Database, _ files: DatabaseFiles) throws {
        try db.execute(sql: "VACUUM")
        _ = try db.checkpoint(.truncate)
        try files.removeCopies()
        try StoreTransaction(db).endErasing()
    }

    /// Deletes the file of a store that is closed, also a damaged one, and all files next to it. Call it where `erase` throws
    /// `SQLiteStoreError.Code.damaged`, after `close()`. Nothing happens if there is no file.
    ///
    /// - Throws: `SQLiteStoreError` if a file is left; call it again then.
    public static func removeFiles(of file: String) throws { try DatabaseFiles(ofRecords: file).removeAll() }
}

extension StoreTransaction {
    /// Whether everything was deleted, but not all traces of it.
    var isErasing: Bool { get throws { try number("erasing") != 0 } }

    func erase(discardingEdits: Bool) throws {
        try removeAll(discardingEdits: discardingEdits)
        // The numbers go on, because a dispatcher may still have that of a hint, and a screen that of the generation.
        try db.execute(
            sql: """
                DELETE FROM fact WHERE name NOT IN ('mark', 'generation') AND name NOT GLOB '\(IndexSchema.searchNames)';
                INSERT INTO fact VALUES ('erasing', 1);
                """)
    }

    func endErasing() throws { try db.execute(sql: "DELETE FROM fact WHERE name = 'erasing'") }
}
