import Foundation
import GRDB
import PushDispatch
import SelectiveSync

/// The records of one object, through statements that are compiled once.
struct RecordTable {
    static let columns = "key, fields, changes, gone, uploaded, error, sync"

    private let object: String
    private let find: Statement
    private let insert: Statement
    private let delete: Statement

    init(_ db: Database, _ object: String) throws {
        self.object = object
        find = try db.cachedStatement(
            sql: "SELECT \(RecordTable.columns) FROM record WHERE object = ? AND key = ?")
        insert = try db.cachedStatement(
            sql: """
                INSERT INTO record (object, \(RecordTable.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (object, key) DO UPDATE SET fields = excluded.fields, changes = excluded.changes,
                gone = excluded.gone, uploaded = excluded.uploaded, error = excluded.error, sync = excluded.sync
                """)
        delete = try db.cachedStatement(sql: "DELETE FROM record WHERE object = ? AND key = ?")
    }

    func record(_ key: RecordKey) throws -> LocalRecord? {
        try Row.fetchOne(find, arguments: [object, key.description]).flatMap { try LocalRecord(row: $0) }
    }

    func put(_ record: LocalRecord) throws {
        try insert.execute(arguments: [
            object, record.key.description, Data(JSONValue.object(record.fields).compactBytes),
            record.changes.rawValue, record.isGone, record.uploaded?.millisecondsSince1970, record.lastError,
            record.syncID,
        ])
    }

    func remove(_ key: RecordKey) throws { try delete.execute(arguments: [object, key.description]) }
}

extension LocalRecord {
    /// A row with `RecordTable.columns`; nil where no version of this library wrote the key.
    ///
    /// - Throws: A corruption error where the fields are no JSON object.
    init?(row: Row) throws {
        guard let key = RecordKey(row[0]) else { return nil }
        let stored: [UInt8] = try row.withUnsafeData(atIndex: 1) { $0.map { [UInt8]($0) } ?? [] }
        let limits = JSONLimits(maximumBytes: .max, maximumDepth: 64, maximumValues: .max)
        guard let fields = (try? JSONReader.read(stored, limits: limits))?.object else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        self.init(key, fields: fields, changes: Changes(rawValue: row[2]))
        isGone = row[3]
        uploaded = (row[4] as Int64?).map { ServerDate(millisecondsSince1970: $0) }
        lastError = row[5]
        syncID = row[6]
    }
}
