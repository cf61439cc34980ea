/// Reads the elements of one DER structure in order: definite lengths in their shortest form, tags of one byte.
struct DERReader {
    struct Element: Equatable {
        let tag: UInt8
        let content: ArraySlice<UInt8>
    }

    enum Fault: Error, Equatable {
        /// The bytes end inside an element.
        case truncated
        /// Not DER, or another element than the one asked for; the offset counts from the start of the whole text.
        case malformed(at: Int)
    }

    enum Tag {
        static let integer: UInt8 = 0x02
        static let bitString: UInt8 = 0x03
        static let octetString: UInt8 = 0x04
        static let objectIdentifier: UInt8 = 0x06
        static let sequence: UInt8 = 0x30
        /// `[0]`, constructed.
        static let context0: UInt8 = 0xa0
        /// `[1]`, constructed.
        static let context1: UInt8 = 0xa1
        /// `[1]` of a primitive type with an implicit tag.
        static let implicit1: UInt8 = 0x81
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func next() throws(Fault) -> Element {
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

    mutating func next(_ tag: UInt8) throws(Fault) -> ArraySlice<UInt8> {
        let start = rest.startIndex
        let element = try next()
        guard element.tag == tag else { throw .malformed(at: start) }
        return element.content
    }

    /// The next element if it has this tag; otherwise it stays.
    mutating func optional(_ tag: UInt8) throws(Fault) -> ArraySlice<UInt8>? {
        rest.first == tag ? try next(tag) : nil
    }

    func end() throws(Fault) {
        guard isAtEnd else { throw .malformed(at: rest.startIndex) }
    }
}

extension KeyError {
    init(_ fault: DERReader.Fault, in structure: String) {
        switch fault {
        case .truncated:
            self.init(.truncated, "the \(structure) breaks off before its end; copy the file again")
        case .malformed(let offset):
            self.init(
                .malformed, "byte \(offset) of the DER does not fit a \(structure); take the file as it was downloaded")
        }
    }
}
