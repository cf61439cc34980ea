/// How to mend a finding, as changes to the payload.
public struct Fix: Hashable, Sendable {
    /// What it does, as an order: "write the number 1".
    public var title: String
    /// In the order of their ranges, none of which touch.
    public var edits: [Edit]

    public init(_ title: String, _ edits: [Edit]) {
        self.title = title
        self.edits = edits
    }

    /// Other bytes in place of some of the payload's.
    public struct Edit: Hashable, Sendable {
        /// Bytes of the payload as sent; empty where something is only put in.
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
    /// The payload with the edits made.
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
