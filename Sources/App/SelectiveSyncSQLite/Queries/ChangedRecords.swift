import GRDB
import PushDispatch
import SelectiveSync

/// The records that a transaction changes and that somebody observes. Used on one connection only.
final class ChangedRecords {
    /// With more records of an object, its observations read their results again.
    static let maximum = 100

    private let observers: StoreObservers
    /// Nil for an object that nobody observes.
    private var keys: [String: Set<RecordKey>?] = [:]
    private var isEverything = false

    init(_ observers: StoreObservers) { self.observers = observers }

    func note(_ key: RecordKey, of object: String) {
        if keys[object] == nil { keys[object] = observers.observes(object) ? .some([]) : .some(nil) }
        guard let noted = keys[object]??.count, noted <= ChangedRecords.maximum else { return }
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
