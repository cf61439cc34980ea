import Foundation
import GRDB
public import PushDispatch
public import SelectiveSync

// What the app's own screens and its upload need.
extension SQLiteStore {
    public func record(_ key: RecordKey, of object: String) async throws -> LocalRecord? {
        try await read { try RecordTable($0, object).record(key) }
    }

    public func record(_ id: RecordID, of object: String) async throws -> LocalRecord? {
        try await record(.server(id), of: object)
    }

    /// In the order of their keys.
    ///
    /// - Parameter key: Only those behind it; nil for the first.
    public func records(of object: String, after key: RecordKey? = nil, limit: Int = .max) async throws
        -> [LocalRecord]
    {
        try await read { try SQLiteStore.records($0, object, after: key, limit: limit) }
    }

    /// Records with edits that the server lacks, oldest row first.
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

    /// Puts a record as it stands, such as one that the user has just edited.
    public func put(_ record: LocalRecord, of object: String) async throws {
        try await write { try RecordTable($0, object).put(record) }
    }

    /// Makes a new record, dirty from the start, under a local key that nothing else has.
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

    /// Takes in what an upload came to.
    ///
    /// - Parameter sent: The record as it was sent: edits made since then stay dirty.
    public func uploaded(_ sent: LocalRecord, _ outcome: UploadOutcome, of object: String) async throws {
        try await write { try Transaction($0, maximumPending: maximumPending).uploaded(sent, outcome, of: object) }
    }

    /// Gives up the user's edits of a record. The server's copy, which was skipped while they were there, is fetched
    /// with the next push or regular sync.
    public func discardEdits(_ key: RecordKey, of object: String) async throws {
        try await write { db in
            let table = RecordTable(db, object)
            guard var record = try table.record(key), record.isDirty else { return }
            guard let id = key.id, !record.changes.contains(.created) else { return try table.remove(key) }
            record.changes = []
            record.lastError = nil
            // Without dates whatever the server has replaces it.
            record.fields["SystemModstamp"] = nil
            record.fields["LastModifiedDate"] = nil
            record.uploaded = nil
            try table.put(record)
            try Transaction(db).keepBehindMark([id], of: object)
        }
    }
}
