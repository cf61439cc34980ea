import APNSModel

/// The members of one JSON object, as far as a provider token needs them: texts and numbers are kept, everything else is
/// checked and skipped. Of a repeated name the last member counts (RFC 7515 4).
struct FlatObject {
    enum Value: Equatable {
        case text(String)
        /// As it is written, so that no digit is lost.
        case number(String)
        case other
    }

    let members: [String: Value]

    /// Fails unless `bytes` are, from start to end, one JSON object (RFC 8259) nested at most `maximumDepth` deep.
    init?(_ bytes: [UInt8]) {
        var scanner = JSONScanner(bytes)
        guard let members = try? scanner.wholeObject() else { return nil }
        self.members = members
    }

    static let maximumDepth = 16
}

private struct JSONScanner {
    struct Malformed: Error {}

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func wholeObject() throws(Malformed) -> [String: FlatObject.Value] {
        skipBlanks()
        try expect("{")
        let members = try object(depth: 1)
        skipBlanks()
        guard rest.isEmpty else { throw Malformed() }
        return members
    }

    private mutating func value(depth: Int) throws(Malformed) -> FlatObject.Value {
        guard let first = rest.first else { throw Malformed() }
        switch first {
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "{"):
            rest = rest.dropFirst()
            _ = try object(depth: depth + 1)
        case UInt8(ascii: "["):
            rest = rest.dropFirst()
            try list(until: "]", depth: depth + 1) { (scanner) throws(Malformed) in
                _ = try scanner.value(depth: depth + 1)
            }
        case UInt8(ascii: "t"): try expect("true")
        case UInt8(ascii: "f"): try expect("false")
        case UInt8(ascii: "n"): try expect("null")
        default: return .number(try number())
        }
        return .other
    }

    /// What follows the opening brace.
    private mutating func object(depth: Int) throws(Malformed) -> [String: FlatObject.Value] {
        var members: [String: FlatObject.Value] = [:]
        try list(until: "}", depth: depth) { (scanner) throws(Malformed) in
            let name = try scanner.string()
            scanner.skipBlanks()
            try scanner.expect(":")
            scanner.skipBlanks()
            members[name] = try scanner.value(depth: depth)
        }
        return members
    }

    /// Items with commas between them, up to and with the closing bracket or brace.
    private mutating func list(
        until close: StaticString, depth: Int, item: (inout JSONScanner) throws(Malformed) -> Void
    ) throws(Malformed) {
        guard depth <= FlatObject.maximumDepth else { throw Malformed() }
        skipBlanks()
        if take(close) { return }
        repeat {
            skipBlanks()
            try item(&self)
            skipBlanks()
            if take(close) { return }
        } while take(",")
        throw Malformed()
    }

    private mutating func string() throws(Malformed) -> String {
        try expect("\"")
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""):
                guard let valid = String(validating: text, as: UTF8.self) else { throw Malformed() }
                return valid
            case UInt8(ascii: "\\"): try text.append(contentsOf: escaped())
            case 0..<0x20: throw Malformed()
            default: text.append(byte)
            }
        }
        throw Malformed()
    }

    /// What follows a backslash, as UTF-8.
    private mutating func escaped() throws(Malformed) -> [UInt8] {
        let plain = Array("\"\\/bfnrt".utf8)
        let meant: [UInt8] = [0x22, 0x5c, 0x2f, 0x08, 0x0c, 0x0a, 0x0d, 0x09]
        guard let byte = rest.popFirst() else { throw Malformed() }
        if let index = plain.firstIndex(of: byte) { return [meant[index]] }
        guard byte == UInt8(ascii: "u") else { throw Malformed() }
        var units = [try hexUnit()]
        if UTF16.isLeadSurrogate(units[0]) {
            try expect("\\u")
            units.append(try hexUnit())
        }
        guard let text = String(validating: units, as: UTF16.self) else { throw Malformed() }
        return Array(text.utf8)
    }

    private mutating func hexUnit() throws(Malformed) -> UInt16 {
        let digits = rest.prefix(4)
        guard digits.count == 4, digits.allSatisfy(\.isHexDigit),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw Malformed() }
        rest = rest.dropFirst(4)
        return unit
    }

    private mutating func number() throws(Malformed) -> String {
        let start = rest
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        return String(decoding: start[..<rest.startIndex], as: UTF8.self)
    }

    private mutating func digits() throws(Malformed) {
        let run = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !run.isEmpty else { throw Malformed() }
        rest = rest.dropFirst(run.count)
    }

    private mutating func skipBlanks() { rest = rest.drop(while: \.isBlank) }

    private mutating func take(_ text: StaticString) -> Bool {
        let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard rest.starts(with: bytes) else { return false }
        rest = rest.dropFirst(bytes.count)
        return true
    }

    private mutating func expect(_ text: StaticString) throws(Malformed) {
        guard take(text) else { throw Malformed() }
    }
}
