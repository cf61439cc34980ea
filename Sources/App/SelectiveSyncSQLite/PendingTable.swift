import GRDB
import PushDispatch

/// The pending records of one object, with statements that are compiled once.
struct PendingTable {
    private let object: [UInt8]
    private let insert: DirectStatement
    private let delete: DirectStatement
    /// Whether a row has changed.
    private(set) var hasChanged = false

    /// - Parameter isBehind: Whether the regular sync's mark may be past the records.
    init(_ db: Database, _ object: String, isBehind: Bool = false) throws {
        self.object = Array(object.utf8)
        insert = try DirectStatement(
            db,
            "INSERT INTO pending VALUES (?1, ?2, ?3, \(isBehind ? 1 : 0)) "
                + "ON CONFLICT DO UPDATE SET mark = excluded.mark, behind = max(behind, excluded.behind)")
        delete = try DirectStatement(db, "DELETE FROM pending WHERE object = ?1 AND record = ?2 AND mark <= ?3")
    }

    mutating func keep(_ record: RecordID, _ mark: Int64) throws { try run(insert, record, mark) }

    mutating func forget(_ record: PendingRecord) throws { try run(delete, record.record, record.mark.number) }

    private mutating func run(_ statement: DirectStatement, _ record: RecordID, _ mark: Int64) throws {
        let changes = try object.withUnsafeBufferPointer { object in
            try record.withUTF8 { key in
                statement.bind(text: object, at: 1)
                statement.bind(text: key, at: 2)
                statement.bind(mark, at: 3)
                return try statement.run()
            }
        }
        if changes > 0 { hasChanged = true }
    }
}
