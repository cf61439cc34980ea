/// The kind of a JSON value. `1` and `1.0` differ, because APNs accepts no fraction where it expects an integer.
@usableFromInline
package enum JSONKind: UInt8, Hashable, Sendable {
    case null, `true`, `false`, string, array, object
    /// A number without fraction and exponent; may be larger than any integer type.
    case integer
    /// A number with a fraction, an exponent, or both.
    case fraction
}

/// One value or key on the tape of a `JSONDocument`. It has 16 bytes, so four fit in a cache line.
@usableFromInline
struct JSONNode: Sendable {
    @usableFromInline var start: UInt32
    /// One past the last byte.
    @usableFromInline var end: UInt32
    /// The position on the tape after this node and everything inside it. While the parser is inside a container, the
    /// position of the enclosing container instead.
    @usableFromInline var following: UInt32
    @usableFromInline var kind: JSONKind
    /// Whether a string contains a backslash, so that it has to be decoded.
    var hasEscapes = false

    /// The node of the text `null`.
    static let null = JSONNode(start: 0, end: 4, following: 1, kind: .null)
}

/// A node of a document. It is valid only for the document that returned it.
@usableFromInline
package struct JSONIndex: Hashable, Sendable {
    @usableFromInline let position: Int

    /// The outermost value.
    @inlinable
    package static var root: JSONIndex { JSONIndex(position: 0) }

    @inlinable
    init(position: Int) { self.position = position }
}
