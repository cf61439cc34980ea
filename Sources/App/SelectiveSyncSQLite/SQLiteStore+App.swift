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
        try await read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT \(RecordTable.columns) FROM record WHERE object = ? AND changes <> 0 ORDER BY number",
                arguments: [object]
            ).compactMap { try LocalRecord(row: $0) }
        }
    }

    static func records(_ db: Database, _ object: String, after key: RecordKey?, limit: Int) throws -> [LocalRecord] {
        try Row.fetchAll(
            db,
            sql: "SELECT \(RecordTable.columns) FROM record WHERE object = ? AND key > ? ORDER BY key LIMIT ?",
            arguments: [object, key?.description ?? "", limit]
        ).compactMap { try LocalRecord(row: $0) }
    }

    /// Stores a record as it is, for example after an edit by the user.
    public func put(_ record: LocalRecord, of object: String) async throws {
        try await write { try RecordTable($0, object).put(record) }
    }

    /// Creates a record under a new local key. It is dirty until it is uploaded.
    public func create(_ fields: [String: JSONValue], of object: String) async throws -> RecordKey {
        try await write { db in
            let table = RecordTable(db, object)
            var generator = SystemRandomNumberGenerator()
            for _ in 0..<100 {
                let key = RecordKey.newLocal(using: &generator)
                guard try table.record(key) == nil else { continue }
                try table.put(LocalRecord(key, fields: fields, changes: .created))
                return key
            }
            throw SyncStoreError.keyTaken
        }
    }

    /// Stores the outcome of an upload.
    ///
    /// - Parameter sent: The record as it was sent. Edits made since then stay dirty.
    public func uploaded(_ sent: LocalRecord, _ outcome: UploadOutcome, of object: String) async throws {
        try await write { try StoreTransaction($0, maximumPending: maximumPending).uploaded(sent, outcome, of: object) }
    }

    /// Discards the user's edits of a record. Its version at the server was skipped because of the edits, and is fetched with
    /// the next push or regular sync.
    public func discardEdits(_ key: RecordKey, of object: String) async throws {
        try await write { db in
            let table = RecordTable(db, object)
            guard var record = try table.record(key), record.isDirty else { return }
            guard let id = key.id, !record.changes.contains(.created) else { return try table.remove(key) }
            record.changes = []
            record.lastError = nil
            // Without dates any version from the server replaces the record.
            record.fields["SystemModstamp"] = nil
            record.fields["LastModifiedDate"] = nil
            record.uploaded = nil
            try table.put(record)
            try StoreTransaction(db).keepBehindMark([id], of: object)
        }
    }
}
