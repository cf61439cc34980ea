/// Turns one text into a tape, following RFC 8259 to the letter. Lives for one parse and keeps no stack: an open
/// container's node holds the way back to the container around it.
///
/// It reads through a pointer, because the eight bytes at a time of `skipPlainText` cannot be had from an array. Every
/// read is behind a comparison with `count`.
struct JSONParser: ~Copyable {
    let base: UnsafePointer<UInt8>
    let count: Int
    let maximumDepth: Int
    var position = 0
    var nodes: [JSONNode]

    private var container = JSONParser.noContainer
    private var depth = 0
    private static let noContainer = UInt32.max

    init(_ base: UnsafePointer<UInt8>, count: Int, maximumDepth: Int, nodes: consuming [JSONNode]) {
        self.base = base
        self.count = count
        self.maximumDepth = maximumDepth
        self.nodes = nodes
    }

    mutating func parse() throws(JSONSyntaxError) {
        try checkEncodingMarks()
        skipSpace()
        guard position < count else { throw error(.empty) }
        while true {
            let isOpen = try readValue()
            if isOpen { continue }
            if try finishValue() { return }
        }
    }

    func error(_ reason: JSONSyntaxError.Reason, at offset: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(offset: offset ?? position, reason: reason)
    }

    /// Reads a scalar, or the start of a container up to where its first value begins.
    ///
    /// - Returns: Whether a value must follow next, because a container was opened that is not empty.
    private mutating func readValue() throws(JSONSyntaxError) -> Bool {
        guard position < count else { throw error(.unexpectedEnd) }
        switch base[position] {
        case UInt8(ascii: "\""): try readString()
        case UInt8(ascii: "{"):
            try open(.object)
            guard position < count else { throw error(.unexpectedEnd) }
            guard base[position] != UInt8(ascii: "}") else {
                close()
                return false
            }
            try readKey()
            return true
        case UInt8(ascii: "["):
            try open(.array)
            guard position < count else { throw error(.unexpectedEnd) }
            guard base[position] == UInt8(ascii: "]") else { return true }
            close()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
        case UInt8(ascii: "t"): try readWord("true", .true)
        case UInt8(ascii: "f"): try readWord("false", .false)
        case UInt8(ascii: "n"): try readWord("null", .null)
        default: throw wrongValue()
        }
        return false
    }

    /// Goes on behind a value: closes what ends here and steps over one comma.
    ///
    /// - Returns: Whether the text has ended as it should.
    private mutating func finishValue() throws(JSONSyntaxError) -> Bool {
        while true {
            skipSpace()
            guard container != JSONParser.noContainer else {
                guard position == count else { throw error(.textAfterEnd) }
                return true
            }
            guard position < count else { throw error(.unexpectedEnd) }
            let isObject = nodes[Int(container)].kind == .object
            let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
            switch base[position] {
            case closing: close()
            case UInt8(ascii: ","):
                let comma = position
                position += 1
                skipSpace()
                guard position < count else { throw error(.unexpectedEnd) }
                if base[position] == closing { throw error(.trailingComma, at: comma) }
                if isObject { try readKey() }
                return false
            case UInt8(ascii: "}"), UInt8(ascii: "]"): throw error(.mismatchedBracket)
            default: throw isComment ? error(.comment) : error(.missingComma)
            }
        }
    }

    private mutating func readKey() throws(JSONSyntaxError) {
        guard base[position] == UInt8(ascii: "\"") else { throw wrongKey() }
        try readString()
        skipSpace()
        guard position < count else { throw error(.unexpectedEnd) }
        guard base[position] == UInt8(ascii: ":") else { throw error(.missingColon) }
        position += 1
        skipSpace()
    }

    private mutating func open(_ kind: JSONKind) throws(JSONSyntaxError) {
        guard depth < maximumDepth else { throw error(.nestingTooDeep(limit: maximumDepth)) }
        let start = UInt32(truncatingIfNeeded: position)
        nodes.append(JSONNode(start: start, end: start, following: container, kind: kind))
        container = UInt32(truncatingIfNeeded: nodes.count - 1)
        depth += 1
        position += 1
        skipSpace()
    }

    private mutating func close() {
        let node = Int(container)
        position += 1
        container = nodes[node].following
        nodes[node].end = UInt32(truncatingIfNeeded: position)
        nodes[node].following = UInt32(truncatingIfNeeded: nodes.count)
        depth -= 1
    }

    mutating func append(_ kind: JSONKind, from start: Int, hasEscapes: Bool = false) {
        nodes.append(
            JSONNode(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: position),
                following: UInt32(truncatingIfNeeded: nodes.count + 1), kind: kind, hasEscapes: hasEscapes))
    }

    private mutating func readWord(_ word: StaticString, _ kind: JSONKind) throws(JSONSyntaxError) {
        let start = position
        for index in 0..<word.utf8CodeUnitCount {
            guard start + index < count else { throw error(.unexpectedEnd, at: count) }
            guard base[start + index] == word.utf8Start[index] else { throw error(.unknownWord) }
        }
        position += word.utf8CodeUnitCount
        append(kind, from: start)
    }

    private mutating func skipSpace() {
        while position < count {
            switch base[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
            default: return
            }
        }
    }
}
