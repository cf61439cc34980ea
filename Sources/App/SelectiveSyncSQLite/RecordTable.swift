import Foundation
import GRDB
import PushDispatch
import SelectiveSync

/// Reads and writes single records of one object, for the app and the upload.
struct RecordTable {
    private static let names = [
        "key", "fields", "changes", "gone", "uploaded", "error", "sync", "base", "theirs", "sent", "external",
        "localKey",
    ]
    /// The columns that a record is read from.
    static let columns = (names + ["number"]).joined(separator: ", ")
    private static let write: String = {
        let all = ["object"] + names + ["systemModstamp", "lastModified"]
        return """
            INSERT INTO record (\(all.joined(separator: ", ")))
            VALUES (\(all.map { _ in "?" }.joined(separator: ", ")))
            ON CONFLICT (object, key) DO UPDATE
            SET \(all.dropFirst(2).map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
            """
    }()

    let db: Database
    let object: String
    private let changed: ChangedRecords?

    /// - Parameter changed: Gets the keys of all changes.
    init(_ db: Database, _ object: String, _ changed: ChangedRecords? = nil) {
        self.db = db
        self.object = object
        self.changed = changed
    }

    func record(_ key: RecordKey) throws -> LocalRecord? {
        let find = try db.cachedStatement(
            sql: "SELECT \(RecordTable.columns) FROM record WHERE object = ? AND key = ?")
        if let row = try Row.fetchOne(find, arguments: [object, key.description]) { return try LocalRecord(row: row) }
        guard key.id == nil else { return nil }
        let uploaded = try db.cachedStatement(
            sql: "SELECT \(RecordTable.columns) FROM record WHERE localKey = ? AND object = ?")
        return try Row.fetchOne(uploaded, arguments: [key.description, object]).flatMap { try LocalRecord(row: $0) }
    }

    /// The key of the record with a local key, of any object.
    static func key(_ db: Database, ofLocal key: RecordKey) throws -> RecordKey? {
        try String.fetchOne(
            db.cachedStatement(sql: "SELECT key FROM record WHERE localKey = ?"), arguments: [key.description]
        ).flatMap { RecordKey($0) }
    }

    func put(_ record: LocalRecord) throws {
        changed?.note(record.key, of: object)
        let stamps = record.stamps
        func bytes(_ fields: [String: JSONValue]?) -> Data? { fields.map { Data(JSONValue.object($0).compactBytes) } }
        let fields = JSONValue.object(record.fields).compactBytes
        try db.cachedStatement(sql: RecordTable.write).execute(arguments: [
            object, record.key.description, Data(fields), record.changes.rawValue, record.isGone,
            record.uploaded?.millisecondsSince1970, record.lastError, record.syncID, bytes(record.base),
            bytes(record.theirs), bytes(record.sent), record.externalID, record.localKey?.description,
            stamps.system?.millisecondsSince1970, stamps.user?.millisecondsSince1970,
        ])
        guard let search = try changed?.search(db, of: object), let number = try number(of: record.key) else { return }
        try fields.withUnsafeBufferPointer { try search.put(number, $0) }
    }

    private func number(of key: RecordKey) throws -> Int64? {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT number FROM record WHERE object = ? AND key = ?"),
            arguments: [object, key.description])
    }

    /// Changes the key of a record and keeps its row. Removes a record that already has the new key.
    func rename(_ key: RecordKey, _ new: RecordKey) throws {
        try remove(new)
        changed?.note(key, of: object)
        changed?.note(new, of: object)
        try db.cachedStatement(sql: "UPDATE record SET key = ? WHERE object = ? AND key = ?")
            .execute(arguments: [new.description, object, key.description])
    }

    func remove(_ key: RecordKey) throws {
        changed?.note(key, of: object)
        if let search = try changed?.search(db, of: object), let number = try number(of: key) {
            try search.remove(number)
        }
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
        let limits = JSONLimits(maximumBytes: .max, maximumDepth: 64, maximumValues: .max)
        func fields(_ stored: Data) throws -> [String: JSONValue] {
            guard let fields = (try? JSONReader.read([UInt8](stored), limits: limits))?.object else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
            return fields
        }
        self.init(
            key, fields: try fields(row.decode(Data.self, atIndex: 1)),
            changes: Changes(rawValue: try row.decode(Int.self, atIndex: 2)))
        isGone = try row.decode(Bool.self, atIndex: 3)
        uploaded = try row.decode(Int64?.self, atIndex: 4).map { ServerDate(millisecondsSince1970: $0) }
        lastError = try row.decode(String?.self, atIndex: 5)
        syncID = try row.decode(String?.self, atIndex: 6)
        base = try row.decode(Data?.self, atIndex: 7).map(fields)
        theirs = try row.decode(Data?.self, atIndex: 8).map(fields)
        sent = try row.decode(Data?.self, atIndex: 9).map(fields)
        externalID = try row.decode(String?.self, atIndex: 10)
        localKey = try row.decode(String?.self, atIndex: 11).flatMap { RecordKey($0) }
        rowNumber = try row.decode(Int64.self, atIndex: 12)
    }
}
