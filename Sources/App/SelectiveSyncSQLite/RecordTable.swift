import Foundation
import GRDB
import PushDispatch
import SelectiveSync

/// Reads and writes single records of one object, for the app and the upload.
struct RecordTable {
    private static let written = "key, fields, changes, gone, uploaded, error, sync"
    /// The columns that a record is read from.
    static let columns = "\(written), number"

    let db: Database
    let object: String

    init(_ db: Database, _ object: String) {
        self.db = db
        self.object = object
    }

    func record(_ key: RecordKey) throws -> LocalRecord? {
        let find = try db.cachedStatement(
            sql: "SELECT \(RecordTable.columns) FROM record WHERE object = ? AND key = ?")
        return try Row.fetchOne(find, arguments: [object, key.description]).flatMap { try LocalRecord(row: $0) }
    }

    func put(_ record: LocalRecord) throws {
        let stamps = record.stamps
        try db.cachedStatement(
            sql: """
                INSERT INTO record (object, \(RecordTable.written), systemModstamp, lastModified)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (object, key) DO UPDATE SET fields = excluded.fields, changes = excluded.changes,
                gone = excluded.gone, uploaded = excluded.uploaded, error = excluded.error, sync = excluded.sync,
                systemModstamp = excluded.systemModstamp, lastModified = excluded.lastModified
                """
        ).execute(arguments: [
            object, record.key.description, Data(JSONValue.object(record.fields).compactBytes),
            record.changes.rawValue, record.isGone, record.uploaded?.millisecondsSince1970, record.lastError,
            record.syncID, stamps.system?.millisecondsSince1970, stamps.user?.millisecondsSince1970,
        ])
    }

    /// Changes the key of a record and keeps its row. Removes a record that already has the new key.
    func rename(_ key: RecordKey, _ new: RecordKey) throws {
        try remove(new)
        try db.cachedStatement(sql: "UPDATE record SET key = ? WHERE object = ? AND key = ?")
            .execute(arguments: [new.description, object, key.description])
    }

    func remove(_ key: RecordKey) throws {
        try db.cachedStatement(sql: "DELETE FROM record WHERE object = ? AND key = ?")
            .execute(arguments: [object, key.description])
    }
}

extension LocalRecord {
    /// Reads a row with `RecordTable.columns`; nil for a key that no version of this library writes.
    ///
    /// - Throws: `RowDecodingError` for a value of another type, and a corruption error if the fields are not a JSON object.
    init?(row: Row) throws {
        guard let key = RecordKey(try row.decode(String.self, atIndex: 0)) else { return nil }
        let stored = [UInt8](try row.decode(Data.self, atIndex: 1))
        let limits = JSONLimits(maximumBytes: .max, maximumDepth: 64, maximumValues: .max)
        guard let fields = (try? JSONReader.read(stored, limits: limits))?.object else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        self.init(key, fields: fields, changes: Changes(rawValue: try row.decode(Int.self, atIndex: 2)))
        isGone = try row.decode(Bool.self, atIndex: 3)
        uploaded = try row.decode(Int64?.self, atIndex: 4).map { ServerDate(millisecondsSince1970: $0) }
        lastError = try row.decode(String?.self, atIndex: 5)
        syncID = try row.decode(String?.self, atIndex: 6)
        rowNumber = try row.decode(Int64.self, atIndex: 7)
    }
}
