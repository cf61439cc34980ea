import Foundation
import GRDB
public import PushDispatch
public import SelectiveSync

// For the app's screens and its upload.
extension SQLiteStore {
    public func record(_ key: RecordKey, of object: String) async throws -> LocalRecord? {
        try await read { try RecordTable($0, object).record(key) }
    }

    public func record(_ id: RecordID, of object: String) async throws -> LocalRecord? {
        try await record(.server(id), of: object)
    }

    /// In the order of their keys.
    ///
    /// - Parameter key: Only records after this key; nil starts with the first.
    public func records(of object: String, after key: RecordKey? = nil, limit: Int = .max) async throws
        -> [LocalRecord]
    {
        try await read { try SQLiteStore.records($0, object, after: key, limit: limit) }
    }

    /// Records with edits that the server does not have, in the order of their rows.
    public func dirtyRecords(of object: String) async throws -> [LocalRecord] {
        try await read { try SQLiteStore.dirtyRecords($0, object) }
    }

    /// - Parameter condition: Begins with `Schema.isUnsent`.
    static func dirtyRecords(
        _ db: Database, _ object: String, _ condition: String = Schema.isUnsent
    ) throws -> [LocalRecord] {
        try Row.fetchAll(
            db, sql: "SELECT \(RecordTable.columns) FROM record WHERE object = ? AND \(condition) ORDER BY number",
            arguments: [object]
        ).compactMap { try LocalRecord(row: $0) }
    }

    static func records(_ db: Database, _ object: String, after key: RecordKey?, limit: Int) throws -> [LocalRecord] {
        try Row.fetchAll(
            db,
            sql: "SELECT \(RecordTable.columns) FROM record WHERE object = ? AND key > ? ORDER BY key LIMIT ?",
            arguments: [object, key?.description ?? "", limit]
        ).compactMap { try LocalRecord(row: $0) }
    }

    /// Stores a record as it is, for tests.
    package func put(_ record: LocalRecord, of object: String) async throws {
        try await change { try $0.table(object).put(record) }
    }

    public func generation() async throws -> StoreGeneration { try await read { try StoreTransaction($0).generation } }

    public func change<Value: Sendable>(
        _ keys: [RecordKey], of object: String, in generation: StoreGeneration,
        _ body: @Sendable @escaping (inout RecordChange) throws -> Value
    ) async throws -> [Value] {
        try await change { transaction in
            try transaction.check(generation)
            return try keys.map { try transaction.change($0, of: object, body) }
        }
    }

    /// Stores the outcome of an upload.
    ///
    /// - Parameter sent: The record as it was sent. Edits made since then stay dirty.
    public func uploaded(
        _ sent: LocalRecord, _ outcome: UploadOutcome, of object: String, in generation: StoreGeneration
    ) async throws {
        try await change {
            try $0.check(generation)
            try $0.uploaded(sent, outcome, of: object)
        }
    }
}
