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
    /// Those of the matching entries that the journal still has.
    private var matched = SequenceSet()
    /// How many entries match, with those that the journal has given up since.
    package private(set) var matchedCount = 0

    /// - Parameter isWatched: Nil lets the count decide.
    package init(
        _ match: NotificationMatch, _ count: ExpectedCount = .atLeast(1), since: Int64? = nil, isWatched: Bool? = nil
    ) {
        self.match = match
        self.count = count
        self.since = since
        self.isWatched = isWatched ?? count.isMetByNothing
    }

    /// The memory of what it keeps about matching entries, in bytes.
    var heldBytes: Int { matched.heldBytes }

    /// Starts again with the entries of the journal.
    package mutating func evaluate(_ world: borrowing World) {
        startAgain()
        evaluate(world, world.journalSequences)
    }

    /// As if it had seen no entry.
    package mutating func startAgain() {
        matched = SequenceSet()
        matchedCount = 0
    }

    /// Adds the entries with these numbers that match.
    package mutating func evaluate(_ world: borrowing World, _ range: Range<UInt64>) {
        var found: [UInt64] = []
        world.forEachEntry(in: range, since: since) {
            if !matched.contains($0.sequence), match.isMet(by: $0) { found.append($0.sequence) }
        }
        for sequence in found { add(sequence) }
    }

    /// An entry is new, or its life has a new line.
    ///
    /// - Parameter oldest: The number of the oldest entry of the journal. Older ones do not come again, so nothing is kept
    ///   about them but their count.
    /// - Returns: Whether it is a new match.
    package mutating func evaluate(_ entry: JournalEntry, oldest: UInt64) -> Bool {
        if let since, entry.received < since { return false }
        guard !matched.contains(entry.sequence), match.isMet(by: entry) else { return false }
        matched.removeAll(before: oldest)
        add(entry.sequence)
        return true
    }

    private mutating func add(_ sequence: UInt64) {
        matched.insert(sequence)
        matchedCount += 1
    }

    /// The `apns-unique-id`s of the newest matches that the journal still has, at most `World.maximumShown`.
    package func newest(in world: borrowing World) -> [String] {
        var newest: [String] = []
        for sequence in matched.highest(World.maximumShown, in: world.journalSequences) {
            // The world may have been exchanged since.
            guard let entry = world.notification(sequence), match.isMet(by: entry) else { continue }
            newest.append(entry.uniqueID)
        }
        return newest
    }

    /// Whether the answer can no longer change.
    package var isSettled: Bool { count.isBroken(by: matchedCount) || !isWatched && isMet }

    package var isMet: Bool { count.isMet(by: matchedCount) }
}
