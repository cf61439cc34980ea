/// Reads one JSON text by RFC 8259, within limits, without Foundation.
///
/// Strict: only UTF-8, no byte order mark, no lone surrogate, no number outside the range of `Double`, nothing after
/// the value.
package struct JSONReader {
    private let bytes: [UInt8]
    private let limits: JSONLimits
    private var position = 0
    private var values = 0

    package static func read(_ bytes: [UInt8], limits: JSONLimits) throws(JSONReadError) -> JSONValue {
        guard bytes.count <= limits.maximumBytes else {
            throw JSONReadError(problem: .tooManyBytes(limit: limits.maximumBytes), offset: limits.maximumBytes)
        }
        var reader = JSONReader(bytes: bytes, limits: limits)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.malformed("unexpected data after the value") }
        return value
    }

    private init(bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func malformed(_ detail: String) -> JSONReadError {
        JSONReadError(problem: .malformed(detail), offset: position)
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    /// Skips `byte` if it is next.
    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONReadError) -> JSONValue {
        skipSpace()
        values += 1
        guard values <= limits.maximumValues else {
            throw JSONReadError(problem: .tooManyValues(limit: limits.maximumValues), offset: position)
        }
        switch current ?? 0 {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw malformed("expected a value")
        }
    }

    private mutating func literal(_ text: StaticString, _ value: JSONValue) throws(JSONReadError) -> JSONValue {
        for index in 0..<text.utf8CodeUnitCount where !take(text.utf8Start[index]) {
            throw malformed("expected true, false or null")
        }
        return value
    }

    private func checkDepth(_ depth: Int) throws(JSONReadError) {
        guard depth <= limits.maximumDepth else {
            throw JSONReadError(problem: .tooDeep(limit: limits.maximumDepth), offset: position)
        }
    }

    private mutating func array(depth: Int) throws(JSONReadError) -> [JSONValue] {
        try checkDepth(depth)
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value(depth: depth))
            skipSpace()
            if take(UInt8(ascii: "]")) { return elements }
            guard take(UInt8(ascii: ",")) else { throw malformed("expected a comma or ]") }
        }
    }

    private mutating func object(depth: Int) throws(JSONReadError) -> [String: JSONValue] {
        try checkDepth(depth)
        position += 1
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take(UInt8(ascii: "}")) { return members }
        while true {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw malformed("expected a key in quotes") }
            let key = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw malformed("expected a colon") }
            members[key] = try value(depth: depth)
            skipSpace()
            if take(UInt8(ascii: "}")) { return members }
            guard take(UInt8(ascii: ",")) else { throw malformed("expected a comma or }") }
        }
    }

    private mutating func string() throws(JSONReadError) -> String {
        position += 1
        let start = position
        while let byte = current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        if current == UInt8(ascii: "\"") {
            let text = try utf8(bytes[start..<position])
            position += 1
            return text
        }
        var unescaped = Array(bytes[start..<position])
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                let text = try utf8(unescaped[...])
                position += 1
                return text
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &unescaped)
            case 0..<0x20: throw malformed("a control character must be escaped")
            default:
                unescaped.append(byte)
                position += 1
            }
        }
        throw malformed("the string is not closed")
    }

    private func utf8(_ slice: ArraySlice<UInt8>) throws(JSONReadError) -> String {
        let text = String(decoding: slice, as: UTF8.self)
        // Decoding replaces invalid UTF-8, so an invalid string differs from its bytes.
        let isSame = text.utf8.withContiguousStorageIfAvailable { text in
            slice.withUnsafeBufferPointer { $0.count == text.count && $0.elementsEqual(text) }
        }
        guard isSame ?? text.utf8.elementsEqual(slice) else { throw malformed("the string is not UTF-8") }
        return text
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONReadError) {
        guard let byte = current else { throw malformed("the string is not closed") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: Array(String(try escapedScalar()).utf8))
        default: throw malformed("expected an escape sequence of JSON")
        }
    }

    private mutating func escapedScalar() throws(JSONReadError) -> Character {
        var code = UInt32(try codeUnit())
        if (0xd800..<0xdc00).contains(code) {
            guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
                throw malformed("incomplete surrogate pair")
            }
            let low = UInt32(try codeUnit())
            guard (0xdc00..<0xe000).contains(low) else { throw malformed("incomplete surrogate pair") }
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw malformed("incomplete surrogate pair") }
        return Character(scalar)
    }

    private mutating func codeUnit() throws(JSONReadError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw malformed("expected four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func number() throws(JSONReadError) -> JSONValue {
        let start = position
        _ = take(UInt8(ascii: "-"))
        let leadingZero = current == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0, whole == 1 || !leadingZero else { throw malformed("expected a number") }
        var isInteger = true
        if take(UInt8(ascii: ".")) {
            isInteger = false
            guard digits() > 0 else { throw malformed("expected a digit after the decimal point") }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isInteger = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits() > 0 else { throw malformed("expected a digit in the exponent") }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else {
            throw malformed("expected a number in the range of Double")
        }
        return .number(number)
    }
}
