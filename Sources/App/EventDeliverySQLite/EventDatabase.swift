import DatabaseFiles
import EventDelivery
import Foundation
import GRDB

/// An open database with its statements.
final class EventDatabase {
    /// The application ID in the file's header: "EvDl".
    static let applicationID: Int32 = 0x4576_446c
    static let version: Int32 = 1
    /// How long to wait for a lock of another connection.
    private static let busySeconds = 2.0
    /// A commit writes whole pages to the log, usually the one of the new event. Smaller ones hold fewer events, so that more
    /// commits write a second and a third page.
    static let pageBytes = 2_048
    /// At this size the log is written back, which waits for the disk.
    static let logBytes = 16 << 20

    private let queue: DatabaseQueue
    private let statements: EventStatements
    /// How damage was repaired, until a state is stored.
    private(set) var recovery: StoreRecovery?
    /// What was removed may still be in the log.
    private var mustErase = false

    /// Opens the file. Creates it if it does not exist, readable only by its owner.
    ///
    /// - Parameter waits: Whether to wait for a process that is ending and still has the file open.
    init(_ file: String, waits: Bool) throws {
        let files = DatabaseFiles(ofEvents: file)
        guard !files.isFolder else {
            throw EventStoreError(code: .unusable, file: file, detail: "is a folder; give the path of a file")
        }
        guard !files.isCutOff, !files.isMarkedDamaged else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT).reading(file)
        }
        try files.makePrivate(file)
        do {
            queue = try DatabaseQueue(path: file, configuration: EventDatabase.configuration(waits: waits))
            statements = try queue.inDatabase { db in
                try EventDatabase.prepare(db, file)
                // A file of an earlier version has larger pages.
                let pageBytes = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? EventDatabase.pageBytes
                try db.execute(sql: "PRAGMA wal_autocheckpoint = \(EventDatabase.logBytes / max(1, pageBytes))")
                return try EventStatements(db)
            }
            try queue.inDatabase { db in
                recovery = try statements.value(.recovery).map { try files.recovery($0) }
                mustErase = try statements.value(.erasure) != nil
                if mustErase { try? erase(db) }
            }
        } catch {
            throw SQLiteEventStore.reading(error, file)
        }
    }

    static func configuration(waits: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.label = "EventDelivery"
        configuration.busyMode = .timeout(waits ? busySeconds : 0)
        configuration.prepareDatabase { db in
            // For a new file. A damaged page is reported before it is used. What is deleted is overwritten. The one owner
            // locks the file once, instead of at each commit.
            try db.execute(
                sql: """
                    PRAGMA page_size = \(pageBytes);
                    PRAGMA cell_size_check = ON;
                    PRAGMA secure_delete = ON;
                    PRAGMA locking_mode = EXCLUSIVE;
                    PRAGMA checkpoint_fullfsync = ON;
                    """)
        }
        return configuration
    }

    private static func prepare(_ db: Database, _ file: String) throws {
        let id = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let tables = Set(try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'"))
        if id == 0, tables.isEmpty {
            try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            return try create(db)
        }
        guard id == applicationID else {
            // The tables of this library with a wrong header.
            guard !tables.isSuperset(of: ["event", "state"]) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
            throw EventStoreError(
                code: .foreign, file: file, detail: "is a database of another application; use another file")
        }
        guard try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0 <= version else {
            throw EventStoreError(
                code: .newerVersion, file: file,
                detail: "was created by a later version; update the app or use another file")
        }
        guard tables.isSuperset(of: ["event", "state"]) else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
        // Reads every page once, as the queue is about to do anyway.
        guard try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
    }

    static func create(_ db: Database) throws {
        try db.inTransaction {
            try db.execute(
                sql: """
                    PRAGMA application_id = \(applicationID);
                    PRAGMA user_version = \(version);
                    CREATE TABLE event (
                        sequence INTEGER PRIMARY KEY,
                        id BLOB NOT NULL,
                        time INTEGER NOT NULL,
                        priority INTEGER NOT NULL,
                        flags INTEGER NOT NULL,
                        kind TEXT NOT NULL,
                        destination TEXT NOT NULL,
                        purpose TEXT,
                        "group" TEXT,
                        body BLOB NOT NULL,
                        checksum INTEGER NOT NULL
                    );
                    CREATE TABLE state (
                        number INTEGER PRIMARY KEY, value BLOB NOT NULL, checksum INTEGER NOT NULL
                    );
                    """)
            return .commit
        }
    }

    // Reading.

    func state() throws -> [UInt8]? {
        try queue.inDatabase { _ in try statements.value(.state) }
    }

    func readAll(_ take: (StoredEvent) -> Void) throws {
        try queue.inDatabase { _ in try statements.events(take) }
    }

    func events(_ sequences: [Int64]) throws -> [StoredEvent] {
        try queue.inDatabase { _ in try sequences.compactMap { try statements.event($0) } }
    }

    // Writing.

    func commit(_ changes: StoreChanges) throws {
        try queue.inDatabase { db in
            // One statement is a transaction of its own.
            if changes.append.count == 1, changes.remove.isEmpty, changes.state == nil,
                !changes.erases
            {
                try statements.insert(changes.append[0])
            } else {
                try db.inTransaction(.immediate) {
                    for event in changes.append { try statements.insert(event) }
                    for range in changes.removedRanges { try statements.remove(range) }
                    if let state = changes.state {
                        try statements.set(state, in: .state)
                        if recovery != nil { try statements.clear(.recovery) }
                    }
                    if changes.erases { try statements.set([], in: .erasure) }
                    return .commit
                }
                if changes.state != nil { recovery = nil }
            }
            // The log still has the old pages. `checkpoint` and the next opening try again.
            if changes.erases {
                mustErase = true
                try? erase(db)
            }
        }
    }

    private func erase(_ db: Database) throws {
        let result = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        guard result?[0] as Int64? == 0 else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
        mustErase = false
        // The log has nothing of the old pages now. If this fails, it is emptied once more.
        try? statements.clear(.erasure)
    }

    func checkpoint() throws {
        try queue.inDatabase { db in
            if mustErase { try erase(db) }
            // With this setting SQLite syncs the log before it is written back.
            _ = try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(FULL)")
        }
    }
}

extension DatabaseError {
    func reading(_ file: String) -> EventStoreError { SQLiteEventStore.reading(self, file) }
}

extension StoreChanges {
    /// Neighbouring sequences as ranges.
    var removedRanges: [ClosedRange<Int64>] {
        var ranges: [ClosedRange<Int64>] = []
        for sequence in remove.sorted() where sequence > 0 {
            if let last = ranges.last, last.upperBound >= sequence - 1 {
                ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, sequence)
            } else {
                ranges.append(sequence...sequence)
            }
        }
        return ranges
    }
}
