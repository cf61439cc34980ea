import DatabaseFiles
import Foundation
import GRDB
public import SelectiveSync

extension SQLiteStore {
    /// How a damaged file was replaced.
    public struct Replacement: Hashable, Sendable {
        /// The new path of the damaged file; its log is next to it. It contains the same personal data as the store.
        public var setAside: String
        /// The number of unsent edits that were taken over. They are dirty in the new file.
        public var recoveredEdits = 0
        /// The number of unsent edits that were found and not taken over, because they or their owner cannot be read. Pages
        /// that cannot be read at all may have contained more.
        public var lostEdits = 0
    }

    /// Opens the file like `init(file:)`. A damaged file is set aside and replaced by a new one.
    ///
    /// Unsent edits are taken over as far as they can be read, because only this device has them. Everything else is at the
    /// server: run a regular sync of every object next. A file of a later version or of another application is not changed.
    ///
    /// ```swift
    /// let (store, replacement) = try SQLiteStore.openOrReplace(file: file)
    /// if let replacement { log("The store was damaged: \(replacement)") }
    /// ```
    ///
    /// A store that finds damage later throws `SQLiteStoreError.Code.damaged` and marks the file, so that this call replaces
    /// it at the next start. To replace it at once, `close()` the store and create a new `RecordSync`.
    ///
    /// - Returns: The store, and how the file was replaced; nil for a file without damage.
    /// - Throws: `SQLiteStoreError`. A damaged file has not been moved then.
    public static func openOrReplace(
        file: String, maximumPending: Int = 10_000, indexes: QueryIndexes = QueryIndexes()
    ) throws -> (store: SQLiteStore, replacement: Replacement?) {
        do {
            return (try SQLiteStore(file: file, maximumPending: maximumPending, indexes: indexes), nil)
        } catch let error as SQLiteStoreError where error.code == .damaged {
            let replacement = try replace(DatabaseFiles(ofRecords: file))
            return (try SQLiteStore(file: file, maximumPending: maximumPending, indexes: indexes), replacement)
        }
    }

    private static func replace(_ files: DatabaseFiles) throws -> Replacement {
        let recovered = RecoveredData(files)
        do {
            files.removeFresh()
            try files.makePrivate(files.fresh)
            let fresh = try DatabaseQueue(path: files.fresh)
            try Schema.migrator.migrate(fresh)
            try fresh.write { try StoreTransaction($0).restore(recovered) }
            try fresh.close()
        } catch {
            files.removeFresh()
            throw SQLiteStoreError.reading(error, files.fresh) { true }
        }
        var replacement = Replacement(setAside: try files.replace())
        if recovered.owner != nil { replacement.recoveredEdits = recovered.edits.count }
        replacement.lostEdits = recovered.unreadable + (recovered.owner == nil ? recovered.edits.count : 0)
        return replacement
    }

    /// Damaged files that were set aside, the oldest first. At most three are kept.
    public static func damagedFiles(of file: String) -> [String] { DatabaseFiles(ofRecords: file).asides }

    /// Deletes the damaged files, for example when the user logs out.
    public static func removeDamagedFiles(of file: String) {
        for aside in DatabaseFiles(ofRecords: file).asides { DatabaseFiles.remove(aside) }
    }

    /// Reads every page and every record.
    ///
    /// - Throws: `SQLiteStoreError.Code.damaged`; the next `openOrReplace` then replaces the file.
    public func check() async throws {
        try await read { db in
            // The first row is `ok` or the first problem.
            guard try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") == "ok" else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
            let rows = try Row.fetchCursor(db, sql: "SELECT \(RecordTable.columns) FROM record")
            while let row = try rows.next() { _ = try LocalRecord(row: row) }
        }
    }
}
