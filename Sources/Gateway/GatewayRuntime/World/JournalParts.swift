/// The numbers of journal entries in parts, the newest first. Each part is read under the world's lock, which is released
/// between two parts, so that senders go on meanwhile.
struct JournalParts: Sequence, IteratorProtocol {
    /// How many entries a part has at most: in an optimized build they are read in about a millisecond.
    static let maximum: UInt64 = 256

    private var rest: Range<UInt64>

    init(_ sequences: Range<UInt64>) { rest = sequences }

    mutating func next() -> Range<UInt64>? {
        guard !rest.isEmpty else { return nil }
        let first = rest.upperBound - Swift.min(rest.upperBound - rest.lowerBound, JournalParts.maximum)
        defer { rest = rest.lowerBound..<first }
        return first..<rest.upperBound
    }
}
