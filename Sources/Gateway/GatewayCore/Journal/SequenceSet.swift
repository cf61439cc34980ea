/// Numbers of journal entries, with a bit for each number from the lowest to the highest. So many of them take little
/// memory as long as those of entries that are gone are removed.
struct SequenceSet: Hashable, Sendable {
    private static let bitsPerWord: UInt64 = 64
    private var words: [UInt64] = []
    /// The place of the first word among all words.
    private var start: UInt64 = 0

    /// The memory of the bits, in bytes.
    var heldBytes: Int { words.count * MemoryLayout<UInt64>.size }

    func contains(_ sequence: UInt64) -> Bool {
        let word = sequence / SequenceSet.bitsPerWord
        guard word >= start, word - start < UInt64(words.count) else { return false }
        return words[Int(word - start)] & SequenceSet.bit(sequence) != 0
    }

    mutating func insert(_ sequence: UInt64) {
        let word = sequence / SequenceSet.bitsPerWord
        if words.isEmpty { start = word }
        if word < start {
            words.insert(contentsOf: repeatElement(UInt64(0), count: Int(start - word)), at: 0)
            start = word
        } else if word - start >= UInt64(words.count) {
            words.append(contentsOf: repeatElement(UInt64(0), count: Int(word - start) + 1 - words.count))
        }
        words[Int(word - start)] |= SequenceSet.bit(sequence)
    }

    /// Removes the numbers below this one, but for some that share a word with it.
    mutating func removeAll(before sequence: UInt64) {
        let word = sequence / SequenceSet.bitsPerWord
        guard word > start else { return }
        words.removeFirst(Int(min(UInt64(words.count), word - start)))
        start = word
    }

    /// The highest numbers within a range, at most `count`, the highest first.
    func highest(_ count: Int, in range: Range<UInt64>) -> [UInt64] {
        var found: [UInt64] = []
        for index in words.indices.reversed() where words[index] != 0 {
            let lowest = (start + UInt64(index)) * SequenceSet.bitsPerWord
            for place in (0..<SequenceSet.bitsPerWord).reversed() {
                guard found.count < count else { return found }
                let number = lowest + place
                if words[index] & SequenceSet.bit(number) != 0, range.contains(number) { found.append(number) }
            }
        }
        return found
    }

    private static func bit(_ sequence: UInt64) -> UInt64 { 1 << (sequence % bitsPerWord) }
}
