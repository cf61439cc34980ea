/// How to fix a finding, as changes to the payload.
public struct Fix: Hashable, Sendable {
    /// What it does, in the imperative: "write the number 1".
    public var title: String
    /// Sorted by range; the ranges do not overlap.
    public var edits: [Edit]

    public init(_ title: String, _ edits: [Edit]) {
        self.title = title
        self.edits = edits
    }

    /// A replacement of bytes of the payload.
    public struct Edit: Hashable, Sendable {
        /// Bytes of the payload as sent; empty for an insertion.
        public var range: Range<Int>
        public var replacement: [UInt8]

        public init(_ range: Range<Int>, _ replacement: String) {
            self.range = range
            self.replacement = Array(replacement.utf8)
        }

        package init(_ range: Range<Int>, _ replacement: [UInt8]) {
            self.range = range
            self.replacement = replacement
        }
    }
}

extension Fix {
    /// The payload with the edits applied.
    public func applied(to payload: [UInt8]) -> [UInt8] {
        var fixed: [UInt8] = []
        var position = 0
        for edit in edits {
            fixed += payload[position..<edit.range.lowerBound]
            fixed += edit.replacement
            position = edit.range.upperBound
        }
        return fixed + payload[position...]
    }
}
