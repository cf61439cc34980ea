import GRDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file in which a gateway keeps its worlds: SQLite, one row for each thing, its properties as a JSON document.
///
/// One gateway has the file for itself as long as it is open. Calls block, so they belong on one thread of their own.
/// What `write` has returned from survives the end of the process, SIGKILL included; after a loss of power the file is
/// sound and may lack the last moments.
package final class GatewayStore {
    package let path: String
    let database: DatabaseQueue
    /// What the rows of each world are known to say.
    var worlds: [String: StoredWorld] = [:]
    let documents = StoreDocuments()

    /// "APNS": tells the file from those of other programs.
    static let applicationID: Int32 = 0x4150_4e53

    /// Opens a file, and makes it where there is none, readable by its owner alone.
    package init(path: String) throws(StoreError) {
        self.path = path
        try StoreFile.prepare(path)
        var configuration = Configuration()
        configuration.label = "apns.store"
        configuration.busyMode = .immediateError
        configuration.maximumReaderCount = 1
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
        }
        do {
            database = try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw StoreError(error, opening: path)
        }
        try open()
    }

    private func open() throws(StoreError) {
        do {
            try database.writeWithoutTransaction { database in
                try StoreSchema.check(database, path)
                // A commit then reaches the system with one write and waits for no disk.
                try database.execute(sql: "PRAGMA journal_mode = WAL")
                try database.execute(sql: "PRAGMA synchronous = NORMAL")
                try StoreSchema.migrate(database, path)
            }
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(error, opening: path)
        }
    }

    /// The worlds that it has, in the order in which they were first kept.
    package func worldNames() throws(StoreError) -> [String] {
        try reading { try String.fetchAll($0, sql: "SELECT name FROM world ORDER BY id") }
    }

    /// Forgets a world; nothing where there is none.
    package func remove(_ name: String) throws(StoreError) {
        worlds[name] = nil
        try writing { database in
            guard
                let id = try Int64.fetchOne(database, sql: "SELECT id FROM world WHERE name = ?", arguments: [name])
            else { return }
            for table in StoreSchema.tables {
                try database.execute(sql: "DELETE FROM \(table) WHERE world = ?", arguments: [id])
            }
            try database.execute(sql: "DELETE FROM world WHERE id = ?", arguments: [id])
        }
    }

    /// Writes something small and takes it away again.
    ///
    /// - Throws: Where the file takes nothing at the moment.
    package func probe() throws(StoreError) {
        try writing { try $0.execute(sql: "INSERT INTO probe (bytes) VALUES (zeroblob(65536))") }
        try writing { try $0.execute(sql: "DELETE FROM probe") }
    }

    /// The file grows no further than by this many pages; for tests of a full disk. Nil lifts the limit.
    package func limitGrowth(toPages pages: Int?) throws(StoreError) {
        try reading { database in
            let count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            let limit = pages.map { count + $0 } ?? 4_294_967_294
            _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(limit)")
        }
    }

    /// Closes the file. Nothing may be called after it.
    package func close() {
        // A failure leaves the write-ahead log, which the next opening takes up.
        try? database.close()
    }

    func reading<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        do {
            return try database.writeWithoutTransaction { try body($0) }
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(error, reading: path)
        }
    }

    func writing(_ body: (Database) throws -> Void) throws(StoreError) {
        do {
            try database.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    try body(database)
                    return .commit
                }
            }
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(error, writing: path)
        }
    }
}
