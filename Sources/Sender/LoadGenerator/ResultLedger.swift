/// Which notifications of a run have their result, to find those with two results or none.
///
/// Results arrive nearly in the order of their indexes. So only the indexes from the first without a result to the last
/// with one take memory, a bit each.
package struct ResultLedger: Sendable {
    /// Results for an index that already had one.
    package private(set) var repeated = 0
    /// Indexes with a result.
    package private(set) var count = 0
    /// A bit for each index, 64 in a word.
    private var words: [UInt64] = []
    /// The number of leading words whose indexes all have their results. They are counted and not stored.
    private var first = 0
    /// How many such words are still at the start of `words`. Removing each of them at once would move the others.
    private var passed = 0

    package init() {}

    package mutating func add(_ index: Int) {
        let word = index / 64 - first
        guard word >= 0 else { return repeated += 1 }
        while words.count - passed <= word { words.append(0) }
        let bit = UInt64(1) << UInt64(index % 64)
        guard words[passed + word] & bit == 0 else { return repeated += 1 }
        words[passed + word] |= bit
        count += 1
        while passed < words.count, words[passed] == .max {
            passed += 1
            first += 1
        }
        if passed > 1024, passed > words.count / 2 {
            words.removeFirst(passed)
            passed = 0
        }
    }

    /// The memory of the ledger in words of 8 bytes.
    var wordCount: Int { words.count }
}
