/// A comparison of the journal with a match. It reads the journal in parts, newest first, so that the world's lock can be
/// released between two parts.
package struct MatchSearch: Sendable {
    /// An entry that does not match.
    private struct Miss: Sendable {
        let entry: JournalEntry
        let comparison: MatchComparison

        /// Fewer differences are nearer; with as many, more agreements; with as many of those, the newer one.
        func isNearer(than other: Miss) -> Bool {
            if comparison.differences != other.comparison.differences {
                return comparison.differences < other.comparison.differences
            }
            if comparison.agreements != other.comparison.agreements {
                return comparison.agreements > other.comparison.agreements
            }
            return entry.sequence > other.entry.sequence
        }
    }

    private let match: NotificationMatch
    private let since: Int64?
    private var matched = 0
    private var newest: [String] = []
    /// The nearest first, at most `World.maximumShown`.
    private var misses: [Miss] = []

    package init(_ match: NotificationMatch, since: Int64?) {
        self.match = match
        self.since = since
    }

    /// - Parameter range: The numbers of entries, all below those of the part before.
    package mutating func read(_ world: borrowing World, _ range: Range<UInt64>) {
        world.forEachEntry(in: range, since: since) { add($0) }
    }

    private mutating func add(_ entry: JournalEntry) {
        let miss = Miss(entry: entry, comparison: MatchComparison(entry, match))
        guard miss.comparison.differences > 0 else {
            matched += 1
            if newest.count < World.maximumShown { newest.append(entry.uniqueID) }
            return
        }
        guard miss.comparison.agreements > 0 || misses.isEmpty else { return }
        if misses.count == World.maximumShown, let last = misses.last, !miss.isNearer(than: last) { return }
        misses.insert(miss, at: misses.firstIndex { miss.isNearer(than: $0) } ?? misses.endIndex)
        if misses.count > World.maximumShown { misses.removeLast() }
    }

    /// What was found so far. It describes the differences, and needs the world no more.
    package var result: MatchResult {
        MatchResult(matched: matched, newest: newest, nearMisses: misses.compactMap { NearMiss($0.entry, match) })
    }
}
