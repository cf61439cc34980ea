/// Reads one JSON text onto a tape, strictly by RFC 8259. It does not recurse and has no stack: the node of an open
/// container holds the position of the enclosing container.
///
/// It works on raw memory, with its state in local variables; methods that share the fields of a value take twice the
/// time. Each read comes after a comparison with `count`.
struct JSONParser {
    let base: UnsafePointer<UInt8>
    let count: Int
    let maximumDepth: Int

    /// How much of the tape is in use, and what the parser learns about the text at no cost.
    struct Extent: Hashable, Sendable {
        var nodeCount: Int
        var objectCount: Int
        var containsNull: Bool
        /// Whether there is white space between tokens, which has no meaning.
        var containsSpace = false
    }

    private static let noContainer = UInt32.max

    /// Reads the text, which must not be empty.
    ///
    /// - Returns: Nil when the tape is too short.
    func parse(onto tape: UnsafeMutableBufferPointer<JSONNode>) throws(JSONSyntaxError) -> Extent? {
        guard let nodes = tape.baseAddress else { return nil }
        try checkEncodingMarks()
        let lastPair = tape.count - 2
        var extent = Extent(nodeCount: 0, objectCount: 0, containsNull: false)
        var used = 0
        var container = JSONParser.noContainer
        var isInObject = false
        var depth = 0
        var position = 0
        skipSpace(&position, &extent)
        guard position < count else { throw error(.empty, at: position) }
        while true {
            // A value begins here, in an object after its key. The tape must have space for both.
            guard used <= lastPair else { return nil }
            guard position < count else { throw error(.unexpectedEnd, at: position) }
            if isInObject {
                guard base[position] == UInt8(ascii: "\"") else { throw wrongKey(at: position) }
                let (end, hasEscapes) = try endOfString(at: position)
                nodes[used] = JSONParser.node(.string, position, end, following: used + 1, hasEscapes: hasEscapes)
                used += 1
                position = end
                skipSpace(&position, &extent)
                guard position < count else { throw error(.unexpectedEnd, at: position) }
                guard base[position] == UInt8(ascii: ":") else { throw error(.missingColon, at: position) }
                position += 1
                skipSpace(&position, &extent)
                guard position < count else { throw error(.unexpectedEnd, at: position) }
            }
            let start = position
            switch base[position] {
            case UInt8(ascii: "\""):
                let (end, hasEscapes) = try endOfString(at: position)
                nodes[used] = JSONParser.node(.string, start, end, following: used + 1, hasEscapes: hasEscapes)
                position = end
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let isObject = base[position] == UInt8(ascii: "{")
                guard depth < maximumDepth else {
                    throw error(.nestingTooDeep(limit: maximumDepth), at: position)
                }
                if isObject { extent.objectCount += 1 }
                position += 1
                skipSpace(&position, &extent)
                guard position < count else { throw error(.unexpectedEnd, at: position) }
                // In ASCII each closing bracket is the opening one plus 2.
                if base[position] == base[start] + 2 {
                    position += 1
                    nodes[used] = JSONParser.node(isObject ? .object : .array, start, position, following: used + 1)
                } else {
                    nodes[used] = JSONNode(
                        start: UInt32(truncatingIfNeeded: start), end: 0, following: container,
                        kind: isObject ? .object : .array)
                    container = UInt32(truncatingIfNeeded: used)
                    isInObject = isObject
                    depth += 1
                    used += 1
                    continue
                }
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                let (end, kind) = try endOfNumber(at: position)
                position = end
                nodes[used] = JSONParser.node(kind, start, position, following: used + 1)
            case UInt8(ascii: "t"):
                position = try endOfWord("true", at: position)
                nodes[used] = JSONParser.node(.true, start, position, following: used + 1)
            case UInt8(ascii: "f"):
                position = try endOfWord("false", at: position)
                nodes[used] = JSONParser.node(.false, start, position, following: used + 1)
            case UInt8(ascii: "n"):
                position = try endOfWord("null", at: position)
                extent.containsNull = true
                nodes[used] = JSONParser.node(.null, start, position, following: used + 1)
            default: throw wrongValue(at: position)
            }
            used += 1

            // After a value: closes each container that ends here. A comma leads to the next value.
            while true {
                skipSpace(&position, &extent)
                guard container != JSONParser.noContainer else {
                    guard position == count else { throw error(.textAfterEnd, at: position) }
                    extent.nodeCount = used
                    return extent
                }
                guard position < count else { throw error(.unexpectedEnd, at: position) }
                if base[position] == UInt8(ascii: ",") {
                    position += 1
                    skipSpace(&position, &extent)
                    break
                }
                guard base[position] == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw wrongSeparator(at: position)
                }
                position += 1
                let closed = Int(container)
                container = nodes[closed].following
                nodes[closed].end = UInt32(truncatingIfNeeded: position)
                nodes[closed].following = UInt32(truncatingIfNeeded: used)
                isInObject = container != JSONParser.noContainer && nodes[Int(container)].kind == .object
                depth -= 1
            }
        }
    }

    @inline(__always)
    private static func node(
        _ kind: JSONKind, _ start: Int, _ end: Int, following: Int, hasEscapes: Bool = false
    ) -> JSONNode {
        JSONNode(
            start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
            following: UInt32(truncatingIfNeeded: following), kind: kind, hasEscapes: hasEscapes)
    }

    @inline(__always)
    private func skipSpace(_ position: inout Int, _ extent: inout Extent) {
        // Most payloads are compact and have no white space.
        guard position < count, base[position] <= UInt8(ascii: " ") else { return }
        extent.containsSpace = true
        position = skippingSomeSpace(from: position)
    }

    @inline(never)
    private func skippingSomeSpace(from position: Int) -> Int {
        var position = position
        while position < count {
            switch base[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
            default: return position
            }
        }
        return position
    }

    @inline(__always)
    private func endOfWord(_ word: StaticString, at position: Int) throws(JSONSyntaxError) -> Int {
        let end = position + word.utf8CodeUnitCount
        guard end <= count else { throw cutWord(word, at: position) }
        for index in 1..<word.utf8CodeUnitCount where base[position + index] != word.utf8Start[index] {
            throw error(.unknownWord, at: position)
        }
        return end
    }
}
