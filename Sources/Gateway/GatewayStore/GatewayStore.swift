import GRDB
import SystemFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file in which a gateway stores its worlds: SQLite, a row for each key, device and so on, with its properties as a JSON
/// document.
///
/// One gateway uses the file exclusively while it is open. Calls block, so make them on a separate thread. Once `write` has
/// returned, its changes survive the end of the process, SIGKILL included; after a power failure the file is sound, but may
/// lack the last changes.
package final class GatewayStore {
    package let path: String
    let database: DatabaseQueue
    /// What the rows of each world contain, as far as it is known.
    var worlds: [String: StoredWorld] = [:]
    let documents = StoreDocuments()

    /// "APNS": distinguishes the file from those of other programs.
    static let applicationID: Int32 = 0x4150_4e53

    /// Opens the file, or creates it, readable only by its owner.
    package init(path: String) throws(StoreError) {
        self.path = path
        do throws(DatabaseFile.Failure) {
            try DatabaseFile.prepare(path)
        } catch {
            throw StoreError(error.isFull ? .full : .unusable, error.description)
        }
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
                // A commit is then one write to the system, which does not wait for the disk.
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

    /// The names of its worlds, in the order in which they were first stored.
    package func worldNames() throws(StoreError) -> [String] {
        try reading { try String.fetchAll($0, sql: "SELECT name FROM world ORDER BY id") }
    }

    /// Removes a world; does nothing if there is none.
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

    /// Writes 64 KiB and removes it again.
    ///
    /// - Throws: If the file cannot be written at the moment.
    package func probe() throws(StoreError) {
        try writing { try $0.execute(sql: "INSERT INTO probe (bytes) VALUES (zeroblob(65536))") }
        try writing { try $0.execute(sql: "DELETE FROM probe") }
    }

    /// Limits the growth of the file to this many pages, for tests of a full disk. Nil removes the limit.
    package func limitGrowth(toPages pages: Int?) throws(StoreError) {
        try reading { database in
            let count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            let limit = pages.map { count + $0 } ?? 4_294_967_294
            _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(limit)")
        }
    }

    /// Closes the file. Call nothing after it.
    package func close() {
        // A failure leaves the write-ahead log, which is applied when the file is next opened.
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
