/// Values by key, and the keys whose values have changed since they were last taken.
package struct TrackedTable<Value: Sendable>: Sendable {
    package private(set) var values: [String: Value] = [:]
    /// Nil while nobody takes them, so that they cannot pile up.
    private var changed: Set<String>?

    package init() {}

    package var count: Int { values.count }

    package subscript(key: String) -> Value? {
        get { values[key] }
        _modify {
            changed?.insert(key)
            yield &values[key]
        }
    }

    package mutating func track(_ mode: ChangeTracking) { changed = mode.first(Set(values.keys)) }

    package mutating func takeChanges() -> [String] {
        guard let keys = changed, !keys.isEmpty else { return [] }
        changed = []
        return keys.sorted()
    }
}

/// Whether changes are noted.
package enum ChangeTracking: Hashable, Sendable {
    case off
    /// From now on.
    case new
    /// From now on, and everything that is there counts as changed.
    case all

    package func first<Key>(_ everything: @autoclosure () -> Set<Key>) -> Set<Key>? {
        switch self {
        case .off: nil
        case .new: []
        case .all: everything()
        }
    }
}
