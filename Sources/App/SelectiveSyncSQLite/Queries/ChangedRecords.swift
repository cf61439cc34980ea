import GRDB
import PushDispatch
import SelectiveSync

/// What follows the records that a transaction changes: their observations, and the words of the full-text search. Used on one
/// connection only.
final class ChangedRecords {
    /// With more records of an object, its observations read their results again.
    static let maximum = 100

    private let observers: StoreObservers
    private let schema: IndexSchema
    /// Nil for an object that nobody observes.
    private var keys: [String: Set<RecordKey>?] = [:]
    /// Nil for an object without a search.
    private var searches: [String: SearchTable?] = [:]
    private var isEverything = false

    init(_ observers: StoreObservers, _ schema: IndexSchema) {
        self.observers = observers
        self.schema = schema
    }

    /// The words of an object's records, which every change has to keep in step; nil if the file has none.
    func search(_ db: Database, of object: String) throws -> SearchTable? {
        if let known = searches[object] { return known }
        var table: SearchTable?
        if let search = schema.search(of: object), try search.isFollowed(db) { table = try SearchTable(db, search) }
        searches[object] = .some(table)
        return table
    }

    /// Whether somebody observes the object. An observation that begins during the transaction reads after it.
    func isObserved(_ object: String) -> Bool {
        if let known = keys[object] { return known != nil }
        let isObserved = observers.observes(object)
        keys[object] = isObserved ? .some([]) : .some(nil)
        return isObserved
    }

    func note(_ key: RecordKey, of object: String) {
        guard isObserved(object), let noted = keys[object]??.count, noted <= ChangedRecords.maximum else { return }
        keys[object]??.insert(key)
    }

    func noteEverything() { isEverything = true }

    /// Reads the records as the transaction leaves them, and publishes them after its commit.
    func publishAfterCommit(_ db: Database) throws {
        var changes: [StoreChange] = isEverything ? [.many(object: nil)] : []
        for case (let object, let keys?) in keys where !keys.isEmpty && !isEverything {
            guard keys.count <= ChangedRecords.maximum else {
                changes.append(.many(object: object))
                continue
            }
            let table = RecordTable(db, object)
            let versions = try keys.map { key in
                // One that was created on this device is also found under its former key.
                RecordVersion(key, try table.record(key).flatMap { $0.key == key ? $0 : nil })
            }
            changes.append(
                .records(
                    versions.filter { $0.record == nil } + versions.filter { $0.record != nil }, object: object))
        }
        guard !changes.isEmpty else { return }
        let (observers, committed) = (observers, changes)
        db.afterNextTransaction { _ in
            for change in committed { observers.publish(change) }
        }
    }
}
