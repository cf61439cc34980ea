internal import APNSModel
package import PayloadJSON
internal import Yams

/// A value of a YAML document, with its place.
///
/// It wraps the parser's node and reads it when asked, because anchors can make a few lines stand for a tree that does
/// not fit into memory. JSON is YAML too: a value of a JSON document is read from the document, which needs much less
/// memory than the parser's tree.
package struct YAMLNode {
    /// A line and a column, both counted from 1; the column in characters.
    package struct Mark: Hashable, Sendable {
        package let line: Int
        package let column: Int
    }

    private enum Source {
        case yaml(Node)
        case json(ReadDocument, JSONIndex)
    }

    private let source: Source

    init(_ node: Node) { source = .yaml(node) }

    /// The outermost value of a JSON document. In a line of more than 64 KiB a mark counts bytes.
    package init(_ json: JSONDocument) { source = .json(ReadDocument(json), .root) }

    private init(_ document: ReadDocument, _ index: JSONIndex) { source = .json(document, index) }

    /// Where the value begins; nil for one that no document has.
    package var mark: Mark? {
        switch source {
        case .yaml(let node): node.mark.map { Mark(line: $0.line, column: $0.column) }
        case .json(let read, let index): read.mark(of: index)
        }
    }

    package var isMapping: Bool {
        switch source {
        case .yaml(let node): node.mapping != nil
        case .json(let read, let index): read.document.isObject(index)
        }
    }

    /// The members of a mapping in their order; nil for another value.
    package var mapping: [(key: YAMLNode, value: YAMLNode)]? {
        switch source {
        case .yaml(let node): node.mapping?.map { (YAMLNode($0.key), YAMLNode($0.value)) }
        case .json(let read, let index):
            read.document.isObject(index)
                ? read.document.members(of: index).map {
                    (key: YAMLNode(read, $0.key), value: YAMLNode(read, $0.value))
                } : nil
        }
    }

    /// The value of a key of a mapping; nil where there is none, and for another value.
    package subscript(_ key: String) -> YAMLNode? {
        switch source {
        case .yaml(let node): node.mapping?.first { $0.key.scalar?.string == key }.map { YAMLNode($0.value) }
        case .json(let read, let index):
            read.document.member(named: key, of: index).map { YAMLNode(read, $0) }
        }
    }

    package var isSequence: Bool {
        switch source {
        case .yaml(let node): node.sequence != nil
        case .json(let read, let index): read.document.kind(of: index) == .array
        }
    }

    /// The elements of a sequence; nil for another value.
    package var sequence: [YAMLNode]? {
        switch source {
        case .yaml(let node): node.sequence?.map { YAMLNode($0) }
        case .json(let read, let index):
            read.document.kind(of: index) == .array
                ? read.document.elements(of: index).map { YAMLNode(read, $0) } : nil
        }
    }

    /// The string of a scalar as it is written; YAML might take it for a boolean or a number. Nil for another value.
    package var text: String? {
        switch source {
        case .yaml(let node): return node.scalar?.string
        case .json(let read, let index):
            switch read.document.kind(of: index) {
            case .object, .array: return nil
            case .string: return read.document.string(of: index)
            case .null, .true, .false, .integer, .fraction: return read.document.source(of: index)
            }
        }
    }

    /// Whether this is a scalar without quotes, which YAML may take for something other than a string.
    package var isPlain: Bool {
        switch source {
        case .yaml(let node): node.scalar?.style == .plain
        case .json(let read, let index): ![.object, .array, .string].contains(read.document.kind(of: index))
        }
    }

    /// Whether this is a scalar that stands for no value, such as `null` or an empty one.
    package var isNothing: Bool { isPlain && ["", "~", "null", "Null", "NULL"].contains(text ?? "") }

    /// What it is, for a message.
    package var shown: String {
        if isMapping { return "a mapping" }
        if isSequence { return "a list" }
        guard let text else { return "an alias" }
        return text.isEmpty ? "nothing" : "\"\(ShownText.cut(text, to: 60))\""
    }
}

/// A JSON document with the places of its lines.
private final class ReadDocument: Sendable {
    let document: JSONDocument
    private let lines: LineIndex

    /// Counting characters takes time for each byte before them.
    private static let longestCountedLine = 64 << 10

    init(_ document: JSONDocument) {
        self.document = document
        lines = LineIndex(document.bytes)
    }

    func mark(of index: JSONIndex) -> YAMLNode.Mark {
        let offset = document.range(of: index).lowerBound
        let line = lines.lineRange(of: offset)
        guard line.count > ReadDocument.longestCountedLine else {
            let place = lines.location(of: offset)
            return YAMLNode.Mark(line: place.line, column: place.column)
        }
        return YAMLNode.Mark(line: lines.line(of: offset), column: offset - line.lowerBound + 1)
    }
}
