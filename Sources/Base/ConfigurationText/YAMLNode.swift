internal import APNSModel
internal import Yams

/// A value of a YAML document, with its place.
///
/// It wraps the parser's node and reads it when asked, because anchors can make a few lines stand for a tree that does
/// not fit into memory.
package struct YAMLNode {
    /// A line and a column, both counted from 1; the column in characters.
    package struct Mark: Hashable, Sendable {
        package let line: Int
        package let column: Int
    }

    private let node: Node

    init(_ node: Node) { self.node = node }

    /// Where the value begins; nil for one that no document has.
    package var mark: Mark? { node.mark.map { Mark(line: $0.line, column: $0.column) } }

    package var isMapping: Bool { node.mapping != nil }

    /// The members of a mapping in their order; nil for another value.
    package var mapping: [(key: YAMLNode, value: YAMLNode)]? {
        node.mapping?.map { (YAMLNode($0.key), YAMLNode($0.value)) }
    }

    /// The value of a key of a mapping; nil where there is none, and for another value.
    package subscript(_ key: String) -> YAMLNode? {
        node.mapping?.first { $0.key.scalar?.string == key }.map { YAMLNode($0.value) }
    }

    package var isSequence: Bool { node.sequence != nil }

    /// The elements of a sequence; nil for another value.
    package var sequence: [YAMLNode]? { node.sequence?.map(YAMLNode.init) }

    /// The string of a scalar as it is written; YAML might take it for a boolean or a number. Nil for another value.
    package var text: String? { node.scalar?.string }

    /// Whether this is a scalar without quotes, which YAML may take for something other than a string.
    package var isPlain: Bool { node.scalar?.style == .plain }

    /// Whether this is a scalar that stands for no value, such as `null` or an empty one.
    package var isNothing: Bool { isPlain && ["", "~", "null", "Null", "NULL"].contains(text ?? "") }

    /// What it is, for a message.
    package var shown: String {
        switch node {
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .scalar(let scalar): scalar.string.isEmpty ? "nothing" : "\"\(ShownText.cut(scalar.string, to: 60))\""
        case .alias: "an alias"
        }
    }
}
