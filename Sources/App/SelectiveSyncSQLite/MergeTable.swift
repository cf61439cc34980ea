import GRDB
import PushDispatch
import SelectiveSync

/// Merges the answers of a batch into the records of one object. An answer for a clean record takes at most one query and one
/// change, with statements that are compiled once, and only the columns that the decision needs are read. The few records
/// with edits are read completely.
struct MergeTable {
    private let object: [UInt8]
    private let records: RecordTable
    private let batchSyncID: String?
    private let syncID: [UInt8]?
    private let rules: MergeRules
    private let find: DirectStatement
    private let insert: DirectStatement
    private let replace: DirectStatement
    private let refresh: DirectStatement
    private let mark: DirectStatement
    private let remove: DirectStatement
    private var writer = JSONObjectWriter()
    private var json: [UInt8] = []
    /// Whether the last record was new. The next one probably is too, so its insertion is tried without a query.
    private var expectsNew = true
    /// Nil if nobody observes the object.
    private let changed: ChangedRecords?
    private let search: SearchTable?
    private let objectName: String
    /// Whether a row has changed.
    private(set) var hasChanged = false

    init(_ db: Database, _ batch: MergeBatch, _ changed: ChangedRecords? = nil) throws {
        self.changed = changed.flatMap { $0.isObserved(batch.object) ? $0 : nil }
        objectName = batch.object
        object = Array(batch.object.utf8)
        records = RecordTable(db, batch.object, changed)
        search = try changed?.search(db, of: batch.object)
        batchSyncID = batch.syncID
        syncID = batch.syncID.map { Array($0.utf8) }
        rules = batch.rules
        find = try DirectStatement(
            db,
            """
            SELECT number, changes, gone, uploaded, systemModstamp, lastModified, fields
            FROM record WHERE object = ?1 AND key = ?2
            """)
        insert = try DirectStatement(
            db,
            """
            INSERT INTO record (object, key, fields, systemModstamp, lastModified, sync)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (object, key) DO NOTHING
            """)
        let clean = """
            UPDATE record SET fields = ?2, systemModstamp = ?3, lastModified = ?4, sync = coalesce(?5, sync),
            gone = 0, uploaded = NULL, error = NULL WHERE number = ?1
            """
        replace = try DirectStatement(db, clean)
        // The condition avoids writing a row that has these values already.
        refresh = try DirectStatement(
            db,
            """
            \(clean) AND (fields <> ?2 OR sync IS NOT coalesce(?5, sync) OR uploaded IS NOT NULL OR error IS NOT NULL)
            """)
        mark = try DirectStatement(db, "UPDATE record SET gone = 1 WHERE number = ?1")
        remove = try DirectStatement(db, "DELETE FROM record WHERE number = ?1")
    }

    private struct Stored {
        let number: Int64
        let isDirty: Bool
        let local: MergeDecision.Local
        /// Whether the fields are equal; only used where stamps do not decide.
        let isSame: Bool
    }

    /// Merges one answer.
    mutating func take(_ answer: FetchedRecord) throws -> MergeDecision {
        let stamps = answer.stamps
        if case .record(let record) = answer {
            writer.write(record.fields, to: &json)
            if expectsNew, try add(record.id, stamps) { return .insert(record) }
        }
        let stored = try stored(answer.id, stamps)
        expectsNew = stored == nil
        if stored?.isDirty == true { return try takeIntoEdits(answer) }
        let merge = MergeDecision.decide(stored?.local, answer, stamps, rules) { _ in stored?.isSame == true }
        switch (merge, stored) {
        case (.insert(let record), _): _ = try add(record.id, stamps)
        case (.replace, let stored?): try clean(replace, answer.id, stored, stamps)
        case (.refresh, let stored?): try clean(refresh, answer.id, stored, stamps)
        case (.mark, let stored?): try change(mark, answer.id, stored)
        case (.remove, let stored?):
            try change(remove, answer.id, stored)
            try search?.remove(stored.number)
        default: break
        }
        return merge
    }

    private mutating func takeIntoEdits(_ answer: FetchedRecord) throws -> MergeDecision {
        let local = try records.record(.server(answer.id))
        let merge = MergeDecision.decide(local, answer, rules)
        guard merge.writes else { return merge }
        hasChanged = true
        if let after = merge.applied(to: local, syncID: batchSyncID) {
            try records.put(after)
        } else {
            try records.remove(.server(answer.id))
        }
        return merge
    }

    private func stored(_ id: RecordID, _ stamps: Stamps) throws -> Stored? {
        try object.withUnsafeBufferPointer { object in
            try id.withUTF8 { key in
                find.bind(text: object, at: 1)
                find.bind(text: key, at: 2)
                return try find.first { row in
                    guard let number = try row.integer(0), let changes = try row.integer(1),
                        let gone = try row.integer(2)
                    else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
                    let local = MergeDecision.Local(
                        isGone: gone != 0, uploaded: try row.date(3),
                        stamps: Stamps(system: try row.date(4), user: try row.date(5)))
                    // Records without stamps are rare, so these bytes are rarely read.
                    let isSame =
                        stamps.age(against: local.stamps) == nil
                        && json.withUnsafeBufferPointer { row.equals($0, 6) }
                    return Stored(number: number, isDirty: changes != 0, local: local, isSame: isSame)
                }
            }
        }
    }

    /// - Returns: False if a record with this id exists.
    private mutating func add(_ id: RecordID, _ stamps: Stamps) throws -> Bool {
        let isNew = try object.withUnsafeBufferPointer { object in
            try id.withUTF8 { key in
                insert.bind(text: object, at: 1)
                insert.bind(text: key, at: 2)
                return try run(insert, fieldsAt: 3, stamps)
            }
        }
        if isNew {
            note(id)
            if let search { try json.withUnsafeBufferPointer { try search.put(insert.insertedRow, $0, isNew: true) } }
        }
        return isNew
    }

    private mutating func clean(
        _ statement: DirectStatement, _ id: RecordID, _ stored: Stored, _ stamps: Stamps
    ) throws {
        statement.bind(stored.number, at: 1)
        guard try run(statement, fieldsAt: 2, stamps) else { return }
        note(id)
        if let search { try json.withUnsafeBufferPointer { try search.put(stored.number, $0) } }
    }

    private mutating func note(_ id: RecordID) {
        hasChanged = true
        changed?.note(.server(id), of: objectName)
    }

    /// Binds the arguments that all statements with a record share, and runs the statement.
    private func run(_ statement: DirectStatement, fieldsAt index: Int32, _ stamps: Stamps) throws -> Bool {
        try json.withUnsafeBufferPointer { fields in
            statement.bind(bytes: fields, at: index)
            statement.bind(stamps.system?.millisecondsSince1970, at: index + 1)
            statement.bind(stamps.user?.millisecondsSince1970, at: index + 2)
            guard let syncID else { return try statement.run() > 0 }
            return try syncID.withUnsafeBufferPointer {
                statement.bind(text: $0, at: index + 3)
                return try statement.run() > 0
            }
        }
    }

    private mutating func change(_ statement: DirectStatement, _ id: RecordID, _ stored: Stored) throws {
        statement.bind(stored.number, at: 1)
        try statement.run()
        note(id)
    }
}

extension DirectRow {
    func date(_ column: Int32) throws -> ServerDate? {
        try integer(column).map { ServerDate(millisecondsSince1970: $0) }
    }
}
