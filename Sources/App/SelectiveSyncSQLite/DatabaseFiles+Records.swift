import DatabaseFiles
import Foundation

/// What only the store of records does with its files.
extension DatabaseFiles {
    /// - Parameter file: The path of the database.
    init(ofRecords file: String) {
        // `StoreOpener` sets the class of all files.
        self.init(main: file, setsProtection: false) {
            SQLiteStoreError(code: $0.kind == .notCreated ? .unusable : .io, file: $0.file, detail: $0.detail)
        }
    }

    /// The paths of all files that exist: the database, its log, the mark of damage, and the damaged files.
    var all: [String] {
        ([main, fresh, mark] + asides).flatMap { [$0, $0 + "-wal", $0 + "-shm", $0 + "-journal"] }
            .filter(DatabaseFiles.exists)
    }

    /// Whether the file was truncated. SQLite takes an empty file for a new database and deletes its log, which may contain
    /// all the data.
    var isCutOff: Bool {
        DatabaseFiles.exists(main) && DatabaseFiles.bytes(main) == 0 && DatabaseFiles.bytes(log) > 0
    }

    /// A copy with a correct header, while a damaged file is read.
    var repaired: String { main + "-repair" }

    /// Removes all files that may contain records, besides those that SQLite uses.
    ///
    /// - Throws: `SQLiteStoreError` if one is left.
    func removeCopies() throws {
        for copy in asides + [fresh, repaired] {
            DatabaseFiles.remove(copy)
            try checkRemoved(copy)
        }
    }

    /// Removes all files, the main file last: without it SQLite would take the log for that of a new database.
    ///
    /// - Throws: `SQLiteStoreError` if one is left.
    func removeAll() throws {
        try removeCopies()
        for path in [log, main + "-shm", main + "-journal", main, mark] where DatabaseFiles.exists(path) {
            try? FileManager.default.removeItem(atPath: path)
            try checkRemoved(path)
        }
    }
}
