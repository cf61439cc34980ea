import PayloadJSON

/// A part of a YAML file as JSON whose values know where they stood, so that whatever reads JSON reads it too and its
/// messages name the file's own lines.
package struct PlacedJSON {
    private struct Place {
        let offset: Int
        let line: Int
        let column: Int
    }

    package private(set) var bytes: [UInt8] = []
    /// In the order of their offsets.
    private var places: [Place] = []

    /// - Returns: Nil for a tree that comes to more than `maximumBytes`, which anchors can make out of a few lines.
    package init?(_ node: YAMLNode, maximumBytes: Int = 1 << 20) {
        guard append(node, maximumBytes) else { return nil }
    }

    /// Lines and columns counted from 1.
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

    /// Plain words are what the JSON schema of YAML makes of them; everything else is a text.
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
