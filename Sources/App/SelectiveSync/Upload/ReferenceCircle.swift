/// New records that refer to each other in a circle, or one that refers to itself. None can be created with all its references.
package struct ReferenceCircle: Hashable, Sendable {
    package let members: Set<RecordKey>
    /// The one to be created first.
    package let first: RecordKey

    /// - Parameter references: The new records that wait, with the local keys that they refer to.
    /// - Returns: Nil if each waits for a record that does not wait itself, or for such a one.
    package init?(in references: [RecordKey: Set<RecordKey>]) {
        var rest = references
        // Records at the end of a chain, and then those at its beginning, are in no circle.
        while let end = rest.first(where: { $0.value.isDisjoint(with: rest.keys) })?.key { rest[end] = nil }
        while true {
            let named = rest.values.reduce(into: Set<RecordKey>()) { $0.formUnion($1) }
            guard let begin = rest.keys.first(where: { !named.contains($0) }) else { break }
            rest[begin] = nil
        }
        guard let first = rest.keys.min(by: { $0.description < $1.description }) else { return nil }
        members = Set(rest.keys)
        self.first = first
    }
}
