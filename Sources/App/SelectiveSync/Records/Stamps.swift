package import PushDispatch

/// The dates of a record that show which of two versions is newer.
package struct Stamps: Hashable, Sendable {
    package var system: ServerDate?
    package var user: ServerDate?

    package init(system: ServerDate? = nil, user: ServerDate? = nil) {
        self.system = system
        self.user = user
    }

    package init(_ fields: [String: JSONValue]) {
        system = Stamps.date(fields["SystemModstamp"])
        user = Stamps.date(fields["LastModifiedDate"])
    }

    private static func date(_ value: JSONValue?) -> ServerDate? {
        guard case .string(let text)? = value, let date = ServerDate(text), date.isPlausible else { return nil }
        return date
    }

    package enum Age { case older, same, newer }

    /// Compares the first stamp that both have: the system's, else the user's. Nil if they share none.
    package func age(against other: Stamps) -> Age? {
        if let mine = system, let theirs = other.system { return Stamps.age(mine, theirs) }
        if let mine = user, let theirs = other.user { return Stamps.age(mine, theirs) }
        return nil
    }

    private static func age(_ mine: ServerDate, _ theirs: ServerDate) -> Age {
        mine < theirs ? .older : mine == theirs ? .same : .newer
    }

    /// The later date.
    var newest: ServerDate? { [system, user].compactMap(\.self).max() }
}
