import GRDB
package import PushDispatch
import SelectiveSync

extension SQLiteStore {
    /// All hints, and the objects that need a regular sync, for tests.
    package func pendingList() async throws -> PendingList {
        try await read { db in
            var marks: [String: [RecordID: PendingMark]] = [:]
            var behind: [String: Set<RecordID>] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT object, record, mark, behind FROM pending") {
                guard let record = RecordID(try row.decode(String.self, atIndex: 1)) else { continue }
                let object = try row.decode(String.self, atIndex: 0)
                marks[object, default: [:]][record] = PendingMark(number: try row.decode(Int64.self, atIndex: 2))
                if try row.decode(Bool.self, atIndex: 3) { behind[object, default: []].insert(record) }
            }
            var overflows: [String: PendingMark] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT object, mark FROM overflow") {
                overflows[try row.decode(String.self, atIndex: 0)] = PendingMark(
                    number: try row.decode(Int64.self, atIndex: 1))
            }
            return PendingList(
                maximumRecords: maximumPending, mark: PendingMark(number: try StoreTransaction(db).number("mark")),
                marks: marks, behind: behind, overflows: overflows)
        }
    }
}
