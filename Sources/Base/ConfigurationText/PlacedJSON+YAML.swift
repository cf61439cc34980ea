package import PayloadJSON

/// A YAML value as JSON.
extension PlacedJSON {
    /// The most levels of nested lists and mappings. Anchors can nest deeper than the text, and the conversion recurses.
    private static let maximumDepth = 100

    /// - Returns: Nil if the JSON has more than `maximumBytes` or more than 100 levels. Anchors can make such a tree
    ///   from a few lines.
    package init?(_ node: YAMLNode, maximumBytes: Int = 1 << 20) {
        self.init()
        guard append(node, maximumBytes, depth: 0) else { return nil }
    }

    private mutating func append(_ node: YAMLNode, _ maximum: Int, depth: Int) -> Bool {
        guard bytes.count <= maximum, depth <= PlacedJSON.maximumDepth else { return false }
        if let mark = node.mark { beginValue(line: mark.line, column: mark.column) }
        if let mapping = node.mapping {
            bytes.append(UInt8(ascii: "{"))
            for (index, (key, value)) in mapping.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                if let mark = key.mark { beginValue(line: mark.line, column: mark.column) }
                JSONWriter.append(key.text ?? "", to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                guard append(value, maximum, depth: depth + 1) else { return false }
            }
            bytes.append(UInt8(ascii: "}"))
        } else if let sequence = node.sequence {
            bytes.append(UInt8(ascii: "["))
            for (index, element) in sequence.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                guard append(element, maximum, depth: depth + 1) else { return false }
            }
            bytes.append(UInt8(ascii: "]"))
        } else {
            append(scalar: node)
        }
        return true
    }

    /// A plain scalar is what the JSON schema of YAML makes of it. Any other scalar is a string.
    private mutating func append(scalar node: YAMLNode) {
        let text = node.text ?? ""
        if node.isNothing {
            bytes += Array("null".utf8)
        } else if node.isPlain, ["true", "false"].contains(text) || PlacedJSON.isNumber(text) {
            bytes += Array(text.utf8)
        } else {
            JSONWriter.append(text, to: &bytes)
        }
    }

    private static func isNumber(_ text: String) -> Bool {
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
            let document = try? JSONDocument(Array(text.utf8), maximumDepth: 1)
        else { return false }
        return [.integer, .fraction].contains(document.kind(of: .root))
    }
}
