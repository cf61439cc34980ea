import PushDispatch

/// The dates in a record that tell which of two copies is newer.
struct Stamps: Hashable, Sendable {
    var system: ServerDate?
    var user: ServerDate?

    init(_ fields: [String: JSONValue]) {
        system = fields["SystemModstamp"]?.string.flatMap { ServerDate($0) }
        user = fields["LastModifiedDate"]?.string.flatMap { ServerDate($0) }
    }

    enum Age { case older, same, newer }

    /// By the first stamp that both have, the system's before the user's; nil if they share none.
    func age(against other: Stamps) -> Age? {
        for stamp in [\Stamps.system, \Stamps.user] {
            guard let mine = self[keyPath: stamp], let theirs = other[keyPath: stamp] else { continue }
            return mine < theirs ? .older : mine == theirs ? .same : .newer
        }
        return nil
    }

    func contain(_ date: ServerDate?) -> Bool { date != nil && (system == date || user == date) }

    /// The later of the two.
    var newest: ServerDate? { [system, user].compactMap(\.self).max() }
}
