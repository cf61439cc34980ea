import DatabaseFiles
import Foundation
import GRDB
public import PushDispatch
public import SelectiveSync

/// Records, pending hints and the marks of the regular sync in one SQLite file.
///
/// A batch is one transaction, so records, hints and progress are consistent after a crash at any instruction. Reads can run
/// during a write. Only one process may use a file: an app and its extensions need a file each.
public struct SQLiteStore: UploadStore {
    let pool: DatabasePool
    /// The file's path.
    public let file: String
    let maximumPending: Int
    let schema: IndexSchema
    let preparation = IndexPreparation()
    let observers = StoreObservers()

    /// How long to wait for a lock of another connection.
    private static let busySeconds = 5.0

    /// Opens the file. Creates it if it does not exist, readable only by its owner.
    ///
    /// - Parameters:
    ///   - file: A path in an existing folder. SQLite creates two more files next to it.
    ///   - maximumPending: The maximum number of hints, over all objects. If there are more, the hints of one object are
    ///     dropped and the object needs a regular sync.
    ///   - indexes: What is prepared for queries. If the file has other indexes, they are dropped and created on a queue of the
    ///     store (`waitForIndexes()`); changes of records wait for that, reading does not.
    /// - Throws: `SQLiteStoreError`; the file is unchanged then. For a damaged file use `openOrReplace(file:)`.
    ///   `RecordQueryError` for an index that cannot exist.
    public init(file: String, maximumPending: Int = 10_000, indexes: QueryIndexes = QueryIndexes()) throws {
        try self.init(
            file: file, maximumPending: maximumPending, indexes: indexes, busySeconds: SQLiteStore.busySeconds)
    }

    /// - Parameter prepare: Called with each connection, for tests.
    init(
        file: String, maximumPending: Int = 10_000, indexes: QueryIndexes = QueryIndexes(),
        busySeconds: Double, prepare: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) throws {
        try indexes.validate()
        schema = IndexSchema(indexes)
        self.file = file
        self.maximumPending = maximumPending
        let files = DatabaseFiles(ofRecords: file)
        do {
            guard !files.isFolder else {
                throw SQLiteStoreError(code: .unusable, file: file, detail: "is a folder; give the path of a file")
            }
            try files.finishReplacement()
            guard !files.isCutOff, !files.isMarkedDamaged else { throw SQLiteStoreError.damaged(file) }
            try files.makePrivate(file)
            var configuration = Configuration()
            configuration.label = "SelectiveSync"
            configuration.maximumReaderCount = 3
            configuration.busyMode = .timeout(busySeconds)
            // SQLite then reports a damaged page before it is used.
            configuration.prepareDatabase {
                try $0.execute(sql: "PRAGMA cell_size_check = ON; PRAGMA secure_delete = ON")
            }
            configuration.prepareDatabase { try QueryFunctions.register($0) }
            configuration.prepareDatabase(prepare)
            pool = try SQLiteStore.open(file, configuration)
            try SQLiteStore.finishErasing(pool, file)
            try prepareIndexes()
        } catch {
            throw SQLiteStoreError.reading(error, file) { try SQLiteStore.isComplete(file) }
        }
    }

    private static func isComplete(_ file: String) throws -> Bool {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: file, configuration: configuration).read { try Schema.isComplete($0) }
    }

    private static func open(_ file: String, _ configuration: Configuration) throws -> DatabasePool {
        // Checked before anything is written, so that another application's file stays unchanged.
        var reading = configuration
        reading.readonly = true
        do {
            try DatabaseQueue(path: file, configuration: reading).read { try Schema.check($0, file) }
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
            // A process ended while it switched the file to a write-ahead log. Only a writer can roll that back.
            try DatabaseQueue(path: file, configuration: configuration).read { try Schema.check($0, file) }
        }
        let pool = try DatabasePool(path: file, configuration: configuration)
        try Schema.migrator.migrate(pool)
        return pool
    }

    /// Closes the file after the running calls have ended. Later calls throw.
    public func close() throws {
        do {
            try pool.close()
        } catch {
            throw failure(error)
        }
    }

    func write<Value: Sendable>(_ change: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
        do {
            return try await pool.write { try change($0) }
        } catch {
            throw failure(error)
        }
    }

    /// Runs a transaction, and publishes the records that it changes.
    func change<Value: Sendable>(
        _ body: @Sendable @escaping (StoreTransaction) throws -> Value
    ) async throws -> Value {
        let (maximumPending, observers, schema) = (maximumPending, observers, schema)
        return try await write { db in
            let changed = ChangedRecords(observers, schema)
            let value = try body(StoreTransaction(db, maximumPending: maximumPending, changed: changed))
            try changed.publishAfterCommit(db)
            return value
        }
    }

    func read<Value: Sendable>(_ look: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
        do {
            return try await pool.read { try look($0) }
        } catch {
            throw failure(error)
        }
    }

    /// Converts an error, and marks the file if the error shows damage.
    func failure(_ error: any Error) -> any Error {
        let error = SQLiteStoreError.reading(error, file) { try pool.read { try Schema.isComplete($0) } }
        if (error as? SQLiteStoreError)?.code == .damaged { DatabaseFiles(ofRecords: file).markDamaged() }
        return error
    }
}

// Batches.
extension SQLiteStore {
    public func merge(_ batch: MergeBatch) async throws -> MergeResult {
        try await change { try $0.merge(batch) }
    }

    public func progress(of object: String) async throws -> SyncProgress {
        try await read { try StoreTransaction($0).progress(of: object) }
    }

    public func cleanRecords(of object: String, after id: RecordID?, limit: Int) async throws -> [RecordID] {
        try await read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT key FROM record
                    WHERE object = ? AND key > ? AND changes = 0 AND gone = 0 AND key NOT LIKE 'local\\_%' ESCAPE '\\'
                    ORDER BY key LIMIT ?
                    """, arguments: [object, id?.description ?? "", limit]
            ).compactMap { RecordID($0) }
        }
    }
}

// Hints.
extension SQLiteStore {
    @discardableResult
    public func keep(_ hint: Hint) async throws -> PendingMark? {
        try await write { try StoreTransaction($0, maximumPending: maximumPending).keep(hint.records, of: hint.object) }
    }

    public func pending(of object: String, after mark: PendingMark?) async throws -> [PendingRecord] {
        try await read { db in
            try Row.fetchAll(
                db, sql: "SELECT record, mark FROM pending WHERE object = ? AND mark > ? ORDER BY mark, record",
                arguments: [object, mark?.number ?? -1]
            ).compactMap { row in
                let mark = PendingMark(number: try row.decode(Int64.self, atIndex: 1))
                return RecordID(try row.decode(String.self, atIndex: 0)).map { PendingRecord($0, mark: mark) }
            }
        }
    }

    public func forget(_ records: [PendingRecord], of object: String) async throws {
        try await write { try StoreTransaction($0).forget(records, of: object) }
    }

    public func forgetAll() async throws { try await write { try StoreTransaction($0).forgetAll() } }

    public func pendingMark() async throws -> PendingMark {
        try await read { PendingMark(number: try StoreTransaction($0).number("mark")) }
    }

    public func objectsToSync() async throws -> Set<String> {
        try await read { Set(try String.fetchAll($0, sql: "SELECT object FROM overflow")) }
    }
}

// Versions and the owner.
extension SQLiteStore {
    public func versions(of records: [RecordID], in object: String) async throws -> [RecordID: StoredVersion] {
        try await read { db in
            let table = try VersionTable(db, object)
            var versions: [RecordID: StoredVersion] = [:]
            versions.reserveCapacity(records.count)
            for id in records { versions[id] = try table.version(of: id) }
            return versions
        }
    }

    public func user() async throws -> String? { try await read { try StoreTransaction($0).string("user") } }

    public func logIn(_ user: String, discardingEdits: Bool) async throws {
        try await change { try $0.logIn(user, discardingEdits: discardingEdits) }
    }
}
