/// Where the bytes of a payload stand in the text that it was read from. They can be fewer than there: white space of an
/// envelope and the target of a simulator file are not sent.
public struct PayloadOrigin: Hashable, Sendable {
    /// Bytes that were left out.
    struct Cut: Hashable, Sendable {
        /// The place in the payload where they would stand.
        var offset: Int
        /// How many bytes were left out here and before.
        var total: Int
    }

    /// Where the payload begins in its source.
    public let start: Int
    private let cuts: [Cut]
    /// Whether the source has the payload in another form, so that an edit of one is none of the other.
    let isEncoded: Bool

    /// - Parameter omitted: Ranges of the source that the payload has not, in order and behind `start`.
    init(start: Int, omitting omitted: [Range<Int>] = []) {
        self.start = start
        isEncoded = false
        var total = 0
        cuts = omitted.map { range in
            let offset = range.lowerBound - start - total
            total += range.count
            return Cut(offset: offset, total: total)
        }
    }

    /// A payload whose bytes do not stand in its source: all of it is where the value begins that it was made of.
    init(encodedAt start: Int) {
        self.start = start
        cuts = []
        isEncoded = true
    }

    /// The place in the source of the payload's byte at `offset`.
    public func sourceOffset(of offset: Int) -> Int {
        guard !isEncoded else { return start }
        var low = 0
        var high = cuts.count
        while low < high {
            let middle = (low + high) / 2
            if cuts[middle].offset <= offset { low = middle + 1 } else { high = middle }
        }
        return start + offset + (low > 0 ? cuts[low - 1].total : 0)
    }

    /// The place in the source of a range of the payload, with all that was left out within it.
    public func sourceRange(of range: Range<Int>) -> Range<Int> {
        let lower = sourceOffset(of: range.lowerBound)
        return lower..<(range.isEmpty ? lower : sourceOffset(of: range.upperBound - 1) + 1)
    }
}
