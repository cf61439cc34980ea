/// The offsets of a payload's bytes in its source. The source can have more bytes: white space of an envelope and the
/// target of a simulator file are not sent.
public struct PayloadOrigin: Hashable, Sendable {
    /// Bytes of the source that are not in the payload.
    struct Cut: Hashable, Sendable {
        /// The offset in the payload at which they are missing.
        var offset: Int
        /// How many bytes are missing here and before.
        var total: Int
    }

    /// The offset of the payload in its source.
    public let start: Int
    private let cuts: [Cut]
    /// The range of the string that contains the payload in base64; nil where the source contains the payload itself.
    private let encoded: Range<Int>?

    /// Whether the source contains the payload in another encoding, so that edits of the payload cannot be applied to
    /// the source.
    var isEncoded: Bool { encoded != nil }

    /// - Parameter omitted: Ranges of the source that are not in the payload, in order and after `start`.
    init(start: Int, omitting omitted: [Range<Int>] = []) {
        self.start = start
        encoded = nil
        var total = 0
        cuts = omitted.map { range in
            let offset = range.lowerBound - start - total
            total += range.count
            return Cut(offset: offset, total: total)
        }
    }

    /// A payload that is a base64 string in its source. Every byte has the offset of the string.
    init(encodedAt range: Range<Int>) {
        start = range.lowerBound
        cuts = []
        encoded = range
    }

    /// The offset in the source of the payload's byte at `offset`.
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

    /// The range of the base64 character in which a byte of the payload begins; nil if the source contains the payload itself.
    func encodedRange(of offset: Int) -> Range<Int>? {
        guard let encoded else { return nil }
        // Three bytes are four characters, after the opening quote.
        let character = min(start + 1 + offset / 3 * 4 + offset % 3, max(encoded.upperBound - 2, start))
        return character..<character + 1
    }

    /// The range in the source of a range of the payload, including what was left out within it.
    public func sourceRange(of range: Range<Int>) -> Range<Int> {
        let lower = sourceOffset(of: range.lowerBound)
        return lower..<(range.isEmpty ? lower : sourceOffset(of: range.upperBound - 1) + 1)
    }
}
