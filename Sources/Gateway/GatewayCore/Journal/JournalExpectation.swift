/// What the journal is expected to have, and whether it has it. It gets new entries while a client waits.
///
/// A client that waits for notifications gets the answer as soon as they are there. With a count that 0 meets, such as at
/// most one, it waits until the time is over, because the count may still be exceeded. Both end at once when it is exceeded.
package struct JournalExpectation: Hashable, Sendable {
    package let match: NotificationMatch
    package let count: ExpectedCount
    /// Only requests received at this time or later count, in milliseconds since 1970; nil for all.
    package let since: Int64?
    /// Whether it has to stay met until the time is over.
    package let isWatched: Bool
    private var matched: Set<UInt64> = []

    /// - Parameter isWatched: Nil lets the count decide.
    package init(
        _ match: NotificationMatch, _ count: ExpectedCount = .atLeast(1), since: Int64? = nil, isWatched: Bool? = nil
    ) {
        self.match = match
        self.count = count
        self.since = since
        self.isWatched = isWatched ?? count.isMetByNothing
    }

    /// Starts again with the entries of the journal.
    package mutating func evaluate(_ world: borrowing World) { matched = world.sequences(of: match, since: since) }

    /// Adds the entries with these numbers that match.
    package mutating func evaluate(_ world: borrowing World, _ range: Range<UInt64>) {
        var found: [UInt64] = []
        world.forEachEntry(in: range, since: since) {
            if !matched.contains($0.sequence), match.isMet(by: $0) { found.append($0.sequence) }
        }
        matched.formUnion(found)
    }

    /// An entry is new, or its life has a new line.
    ///
    /// - Returns: Whether it is a new match.
    package mutating func evaluate(_ entry: JournalEntry) -> Bool {
        if let since, entry.received < since { return false }
        guard !matched.contains(entry.sequence), match.isMet(by: entry) else { return false }
        return matched.insert(entry.sequence).inserted
    }

    /// Whether the answer can no longer change.
    package var isSettled: Bool { count.isBroken(by: matched.count) || !isWatched && isMet }

    package var isMet: Bool { count.isMet(by: matched.count) }
    package var matchedCount: Int { matched.count }
}
