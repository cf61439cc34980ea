/// What the journal is expected to hold, and whether it does; fed with entries while somebody waits.
///
/// Somebody who waits for something to come has the answer as soon as it is there. Somebody who waits with a count that
/// nothing meets already, such as at most one, watches to the end of the time, because until then it may be broken. Both
/// end at once when it is broken.
package struct JournalExpectation: Hashable, Sendable {
    package let match: NotificationMatch
    package let count: ExpectedCount
    /// Only what came in at this time or later counts, in milliseconds since 1970; nil for all.
    package let since: Int64?
    /// Whether it has to stay met until the time is over.
    package let isWatched: Bool
    private var matched: Set<UInt64> = []

    /// - Parameter isWatched: Nil goes by the count.
    package init(
        _ match: NotificationMatch, _ count: ExpectedCount = .atLeast(1), since: Int64? = nil, isWatched: Bool? = nil
    ) {
        self.match = match
        self.count = count
        self.since = since
        self.isWatched = isWatched ?? count.isMetByNothing
    }

    /// Begins anew with what the journal holds.
    package mutating func look(at world: borrowing World) { matched = world.sequences(of: match, since: since) }

    /// An entry is new, or its life went on.
    ///
    /// - Returns: Whether there is one match more.
    package mutating func look(at entry: JournalEntry) -> Bool {
        if let since, entry.received < since { return false }
        guard !matched.contains(entry.sequence), match.isMet(by: entry) else { return false }
        return matched.insert(entry.sequence).inserted
    }

    /// Whether nothing that may still come changes the answer.
    package var isSettled: Bool { count.isBroken(by: matched.count) || !isWatched && isMet }

    package var isMet: Bool { count.isMet(by: matched.count) }
    package var matchedCount: Int { matched.count }
}
