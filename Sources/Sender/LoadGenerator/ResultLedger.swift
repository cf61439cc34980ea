/// Which notifications of a run have had their result, to find one that has two or none.
///
/// Results come nearly in the order of their indexes, so only what lies between the first without a result and the last
/// with one takes memory: a bit each.
package struct ResultLedger: Sendable {
    /// Results for an index that had one already.
    package private(set) var repeated = 0
    /// Indexes with a result.
    package private(set) var count = 0
    /// 64 indexes each; everything below `first` words has its result.
    private var words: [UInt64] = []
    private var first = 0
    /// Words in front of `words` that are done with and still there.
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

    /// What the ledger takes, in words of 64 indexes.
    var wordCount: Int { words.count }
}
