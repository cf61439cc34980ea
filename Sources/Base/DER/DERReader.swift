/// Reads the elements of a DER structure in order. It accepts tags of one byte, and definite lengths in their shortest
/// form of up to 3 bytes.
package struct DERReader {
    package struct Element: Equatable {
        package let tag: UInt8
        package let content: ArraySlice<UInt8>
    }

    package enum Failure: Error, Equatable {
        /// The bytes end inside an element.
        case truncated
        /// Not DER, or not the expected element; the offset counts from the start of the whole input.
        case malformed(at: Int)
    }

    package enum Tag {
        package static let integer: UInt8 = 0x02
        package static let bitString: UInt8 = 0x03
        package static let octetString: UInt8 = 0x04
        package static let objectIdentifier: UInt8 = 0x06
        package static let utf8String: UInt8 = 0x0c
        package static let sequence: UInt8 = 0x30
        /// `[0]`, constructed.
        package static let context0: UInt8 = 0xa0
        /// `[1]`, constructed.
        package static let context1: UInt8 = 0xa1
        /// `[1]` of a primitive type with an implicit tag.
        package static let implicit1: UInt8 = 0x81
    }

    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    package var isAtEnd: Bool { rest.isEmpty }

    package mutating func next() throws(Failure) -> Element {
        let start = rest.startIndex
        guard let tag = rest.popFirst(), let first = rest.popFirst() else { throw .truncated }
        guard tag & 0x1f != 0x1f else { throw .malformed(at: start) }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7f)
            guard (1...3).contains(count) else { throw .malformed(at: start + 1) }
            guard rest.count >= count else { throw .truncated }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
            guard length >= (count == 1 ? 0x80 : 1 << (8 * (count - 1))) else { throw .malformed(at: start + 1) }
        }
        guard rest.count >= length else { throw .truncated }
        defer { rest = rest.dropFirst(length) }
        return Element(tag: tag, content: rest.prefix(length))
    }

    /// The content of the next element, which must have this tag.
    package mutating func next(_ tag: UInt8) throws(Failure) -> ArraySlice<UInt8> {
        let start = rest.startIndex
        let element = try next()
        guard element.tag == tag else { throw .malformed(at: start) }
        return element.content
    }

    /// The content of the next element if it has this tag; nil, without reading it, otherwise.
    package mutating func optional(_ tag: UInt8) throws(Failure) -> ArraySlice<UInt8>? {
        rest.first == tag ? try next(tag) : nil
    }

    /// Throws unless every byte has been read.
    package func end() throws(Failure) {
        guard isAtEnd else { throw .malformed(at: rest.startIndex) }
    }
}
