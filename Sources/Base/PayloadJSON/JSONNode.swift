/// What a JSON value is. `1` and `1.0` differ, because a number that has to be an integer is not written with a fraction.
package enum JSONKind: UInt8, Hashable, Sendable {
    case null, `true`, `false`, string, array, object
    /// A number without fraction and exponent; may be larger than any integer type.
    case integer
    /// A number with a fraction, an exponent, or both.
    case fraction
}

/// One value or key on the tape of a `JSONDocument`. Sixteen bytes, so that four fit a cache line.
struct JSONNode: Sendable {
    var start: UInt32
    /// One past the last byte.
    var end: UInt32
    /// Where the tape goes on behind this node and all that it holds. While a container is still open during a parse,
    /// the node of the container around it.
    var following: UInt32
    var kind: JSONKind
    /// Whether a string holds a backslash, so that its bytes are not its text.
    var hasEscapes = false

    /// The node of the text `null`.
    static let null = JSONNode(start: 0, end: 4, following: 1, kind: .null)
}

/// Names one node of the document that gave it.
package struct JSONIndex: Hashable, Sendable {
    let position: Int

    /// The value that a whole text stands for.
    package static let root = JSONIndex(position: 0)
}
