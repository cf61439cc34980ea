import PayloadJSON

/// A YAML value as JSON, with the place of each value in the YAML file. So a reader of JSON can read it, and its messages
/// have the lines of the file.
package struct PlacedJSON {
    private struct Place {
        let offset: Int
        let line: Int
        let column: Int
    }

    package private(set) var bytes: [UInt8] = []
    /// In the order of their offsets.
    private var places: [Place] = []

    /// - Returns: Nil if the JSON has more than `maximumBytes`. Anchors can make such a tree from a few lines.
    package init?(_ node: YAMLNode, maximumBytes: Int = 1 << 20) {
        guard append(node, maximumBytes) else { return nil }
    }

    /// The line and column in the YAML file of the value or key at `offset` of the JSON, both counted from 1.
    package func place(of offset: Int) -> (line: Int, column: Int) {
        let place = places.last { $0.offset <= offset } ?? places.first
        return (place?.line ?? 1, place?.column ?? 1)
    }

    private mutating func append(_ node: YAMLNode, _ maximum: Int) -> Bool {
        guard bytes.count <= maximum else { return false }
        if let mark = node.mark { places.append(Place(offset: bytes.count, line: mark.line, column: mark.column)) }
        if let mapping = node.mapping {
            bytes.append(UInt8(ascii: "{"))
            for (index, (key, value)) in mapping.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                if let mark = key.mark {
                    places.append(Place(offset: bytes.count, line: mark.line, column: mark.column))
                }
                JSONWriter.append(key.text ?? "", to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                guard append(value, maximum) else { return false }
            }
            bytes.append(UInt8(ascii: "}"))
        } else if let sequence = node.sequence {
            bytes.append(UInt8(ascii: "["))
            for (index, element) in sequence.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                guard append(element, maximum) else { return false }
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
