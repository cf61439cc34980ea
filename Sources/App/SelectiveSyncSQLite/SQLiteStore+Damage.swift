import Foundation
import GRDB
import SelectiveSync

extension SQLiteStore {
    /// What became of a damaged file.
    public struct Replacement: Hashable, Sendable {
        /// Where the damaged file is now, with its log beside it. It holds the same personal data as the store.
        public var setAside: String
        /// Unsent edits that were brought over; they are dirty in the new file as they were in the old one.
        public var rescuedEdits = 0
        /// Unsent edits that were found and left behind, because they, or whose they are, cannot be read. There may have
        /// been more on pages that cannot be read at all.
        public var lostEdits = 0
    }

    /// Opens the file as `init(file:)` does. Where it is damaged, it is put aside and a new one takes its place.
    ///
    /// What only this device knows, the edits that were never sent, comes over as far as it can be read. Everything else
    /// is the server's: run a regular sync of every object next. Nothing of a file of a later version, or of something
    /// else, is touched.
    ///
    /// ```swift
    /// let (store, replacement) = try SQLiteStore.openOrReplace(file: file)
    /// if let replacement { log("The store was damaged: \(replacement)") }
    /// ```
    ///
    /// A store that finds damage while it is used throws `SQLiteStoreError.Code.damaged` and leaves a mark, so that this call
    /// replaces the file at the next start. To do it at once, `close()` the store and make a new `RecordSync`.
    ///
    /// - Returns: The store, and what was done; nil for a file that was sound.
    /// - Throws: `SQLiteStoreError`; the damaged file is where it was then.
    public static func openOrReplace(
        file: String, maximumPending: Int = 10_000
    ) throws -> (store: SQLiteStore, replacement: Replacement?) {
        do {
            return (try SQLiteStore(file: file, maximumPending: maximumPending), nil)
        } catch let error as SQLiteStoreError where error.code == .damaged {
            let replacement = try replace(StoreFiles(main: file))
            return (try SQLiteStore(file: file, maximumPending: maximumPending), replacement)
        }
    }

    private static func replace(_ files: StoreFiles) throws -> Replacement {
        let rescue = Rescue(files)
        do {
            files.removeFresh()
            try StoreFiles.makePrivate(files.fresh)
            let fresh = try DatabaseQueue(path: files.fresh)
            try Schema.migrator.migrate(fresh)
            try fresh.write { try Transaction($0).takeOver(rescue) }
            try fresh.close()
        } catch {
            files.removeFresh()
            throw SQLiteStoreError.reading(error, files.fresh)
        }
        var replacement = Replacement(setAside: try files.replace())
        if rescue.owner != nil { replacement.rescuedEdits = rescue.edits.count }
        replacement.lostEdits = rescue.unreadable + (rescue.owner == nil ? rescue.edits.count : 0)
        return replacement
    }

    /// Damaged files that were put aside, the oldest first; at most three are kept.
    public static func damagedFiles(of file: String) -> [String] { StoreFiles(main: file).asides() }

    /// Deletes them, as when their user logs out.
    public static func removeDamagedFiles(of file: String) {
        for aside in StoreFiles(main: file).asides() { StoreFiles.remove(aside) }
    }

    /// Reads every page and every record.
    ///
    /// - Throws: `SQLiteStoreError.Code.damaged`; the next `openOrReplace` then replaces the file.
    public func check() async throws {
        try await read { db in
            // The first line says `ok`, or what is wrong first.
            guard try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") == "ok" else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
            let rows = try Row.fetchCursor(db, sql: "SELECT \(RecordTable.columns) FROM record")
            while let row = try rows.next() { _ = try LocalRecord(row: row) }
        }
    }
}
