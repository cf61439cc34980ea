import Foundation
import GRDB
package import ServiceHost
import SystemFiles

/// The state of a simulated service in an SQLite file.
///
/// One service uses the file exclusively while it is open. Calls block. Once `write` has returned, its changes survive the
/// end of the process, SIGKILL included; after a power failure the file is sound, but may lack the last changes.
///
/// @unchecked: GRDB's queue serializes every use of the connection, and `firstNumbers` is only used within it.
package final class SQLiteServiceStore: ServiceStore, @unchecked Sendable {
    package let path: String
    private let database: DatabaseQueue
    /// What was last deleted of each log.
    private var firstNumbers: [String: Int] = [:]

    /// Whose state it is.
    package struct Kind: Hashable, Sendable {
        /// Distinguishes the file from those of other programs and other services.
        let applicationID: Int32
        /// In messages, such as `a decision service`.
        let service: String

        /// "APDS"
        package static let decisions = Kind(applicationID: 0x4150_4453, service: "a decision service")
        /// "APOS"
        package static let optimization = Kind(applicationID: 0x4150_4f53, service: "an optimization service")
    }

    private let kind: Kind
    /// The version that this code writes. A file with a higher version is not opened.
    static let version = 1

    /// Opens the file, or creates it, readable only by its owner.
    package init(path: String, of kind: Kind) throws(ServiceStoreError) {
        self.path = path
        self.kind = kind
        do throws(DatabaseFile.Failure) {
            try DatabaseFile.prepare(path)
        } catch {
            throw ServiceStoreError(error.isFull ? .full : .unusable, error.description)
        }
        var configuration = Configuration()
        configuration.label = "apns.service.store"
        configuration.busyMode = .immediateError
        configuration.maximumReaderCount = 1
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
        do {
            database = try DatabaseQueue(path: path, configuration: configuration)
            try database.writeWithoutTransaction { database in
                try SQLiteServiceStore.check(database, path, kind)
                // A commit is then one write to the system, which does not wait for the disk.
                try database.execute(sql: "PRAGMA journal_mode = WAL")
                try database.execute(sql: "PRAGMA synchronous = NORMAL")
                try SQLiteServiceStore.create(database, kind)
            }
        } catch {
            throw ServiceStoreError(error, path, "opened", kind)
        }
    }

    /// Checks that the file is a store of a known version and sound. Changes nothing.
    private static func check(_ database: Database, _ path: String, _ kind: Kind) throws {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        guard application == kind.applicationID || application == 0 && tables == 0 else {
            throw ServiceStoreError(
                .foreign, "\(path) is not the store of \(kind.service) and is not changed; name another file")
        }
        let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard found <= version else {
            throw ServiceStoreError(
                .newer,
                "\(path) was written by a newer version (\(found) of the file; this one reads up to \(version)) and is not "
                    + "changed; use that version, or name another file")
        }
        let result = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        guard result == "ok" else { throw ServiceStoreError.damaged(result ?? "the check gave no answer") }
    }

    private static func create(_ database: Database, _ kind: Kind) throws {
        guard try Int.fetchOne(database, sql: "PRAGMA user_version") == 0 else { return }
        try database.inTransaction(.immediate) {
            try database.execute(
                sql: """
                    CREATE TABLE row (
                        kind TEXT NOT NULL, space TEXT NOT NULL, key BLOB NOT NULL, document BLOB NOT NULL,
                        PRIMARY KEY (kind, space, key)) WITHOUT ROWID;
                    CREATE TABLE entry (
                        log TEXT NOT NULL, number INTEGER NOT NULL, document BLOB NOT NULL,
                        PRIMARY KEY (log, number)) WITHOUT ROWID;
                    CREATE TABLE probe (bytes BLOB NOT NULL);
                    PRAGMA application_id = \(kind.applicationID);
                    PRAGMA user_version = \(version);
                    """)
            return .commit
        }
    }

    package func load(_ take: (StoredItem) throws -> Void) throws {
        do {
            try database.writeWithoutTransaction { database in
                let rows = try Row.fetchCursor(
                    database, sql: "SELECT kind, space, key, document FROM row ORDER BY kind, space, key")
                while let row = try rows.next() {
                    try take(
                        .row(
                            StoredRow(
                                kind: row["kind"], space: row["space"], key: bytes(row["key"]),
                                document: bytes(row["document"]))))
                }
                let entries = try Row.fetchCursor(
                    database, sql: "SELECT log, number, document FROM entry ORDER BY log, number")
                while let row = try entries.next() {
                    try take(
                        .entry(
                            StoredEntry(log: row["log"], number: row["number"], document: bytes(row["document"]))))
                }
            }
        } catch {
            throw ServiceStoreError(error, path, "read", kind)
        }
    }

    private func bytes(_ data: Data) -> [UInt8] { Array(data) }

    package func write(_ changes: StoredChanges) throws {
        do {
            try writing { database in
                if changes.replacesAll {
                    try database.execute(sql: "DELETE FROM row; DELETE FROM entry")
                }
                for row in changes.rows {
                    guard let document = row.document else {
                        try run(
                            "DELETE FROM row WHERE kind = ? AND space = ? AND key = ?",
                            [row.kind, row.space, Data(row.key)], database)
                        continue
                    }
                    try run(
                        "REPLACE INTO row VALUES (?, ?, ?, ?)",
                        [row.kind, row.space, Data(row.key), Data(document)], database)
                }
                for entry in changes.entries {
                    try run(
                        "REPLACE INTO entry VALUES (?, ?, ?)", [entry.log, entry.number, Data(entry.document)],
                        database)
                }
                for (log, first) in changes.firstNumbers where first > firstNumbers[log] ?? 0 {
                    try run("DELETE FROM entry WHERE log = ? AND number < ?", [log, first], database)
                }
            }
            firstNumbers = changes.firstNumbers
        } catch {
            firstNumbers = [:]
            throw ServiceStoreError(error, path, "written", kind)
        }
    }

    package func probe() throws {
        do {
            try writing { try $0.execute(sql: "INSERT INTO probe (bytes) VALUES (zeroblob(65536))") }
            try writing { try $0.execute(sql: "DELETE FROM probe") }
        } catch {
            throw ServiceStoreError(error, path, "written", kind)
        }
    }

    /// Limits the growth of the file to this many pages, for tests of a full disk. Nil removes the limit.
    package func limitGrowth(toPages pages: Int?) throws {
        try database.writeWithoutTransaction { database in
            let count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(pages.map { count + $0 } ?? 4_294_967_294)")
        }
    }

    /// Closes the file. Call nothing after it.
    package func close() {
        // A failure leaves the write-ahead log, which is applied when the file is next opened.
        try? database.close()
    }

    private func writing(_ body: (Database) throws -> Void) throws {
        try database.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                try body(database)
                return .commit
            }
        }
    }

    /// Statements are prepared once and cached.
    private func run(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?], _ database: Database) throws {
        try database.cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
    }
}
