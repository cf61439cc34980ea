/// A second reader of RFC 8259, as simple as possible: a recursive function for each rule of the grammar, over Unicode
/// scalars from the standard library. It finds out only whether a text is JSON.
struct NaiveReader {
    private var scalars: [Unicode.Scalar]
    private var position = 0

    static func accepts(_ bytes: [UInt8], maximumDepth: Int = 512) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        var reader = NaiveReader(scalars: Array(text.unicodeScalars))
        reader.skipSpace()
        guard reader.value(depth: maximumDepth) else { return false }
        reader.skipSpace()
        return reader.position == reader.scalars.count
    }

    private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let scalar = next, " \t\n\r".unicodeScalars.contains(scalar) { position += 1 }
    }

    private mutating func value(depth: Int) -> Bool {
        switch next {
        case "{": return object(depth: depth)
        case "[": return array(depth: depth)
        case "\"": return string()
        case "t": return word("true")
        case "f": return word("false")
        case "n": return word("null")
        default: return number()
        }
    }

    private mutating func object(depth: Int) -> Bool {
        list(from: "{", to: "}", depth: depth) { reader in
            guard reader.string() else { return false }
            reader.skipSpace()
            guard reader.take(":") else { return false }
            reader.skipSpace()
            return reader.value(depth: depth - 1)
        }
    }

    private mutating func array(depth: Int) -> Bool {
        list(from: "[", to: "]", depth: depth) { $0.value(depth: depth - 1) }
    }

    private mutating func list(
        from start: Unicode.Scalar, to end: Unicode.Scalar, depth: Int, item: (inout NaiveReader) -> Bool
    ) -> Bool {
        guard depth > 0, take(start) else { return false }
        skipSpace()
        if take(end) { return true }
        while true {
            guard item(&self) else { return false }
            skipSpace()
            if take(end) { return true }
            guard take(",") else { return false }
            skipSpace()
        }
    }

    private mutating func word(_ word: String) -> Bool { word.unicodeScalars.allSatisfy { take($0) } }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while let scalar = next {
            position += 1
            switch scalar {
            case "\"": return true
            case "\\":
                guard escape() else { return false }
            case _ where scalar.value < 0x20: return false
            default: continue
            }
        }
        return false
    }

    private mutating func escape() -> Bool {
        guard let letter = next else { return false }
        position += 1
        guard letter == "u" else { return "\"\\/bfnrt".unicodeScalars.contains(letter) }
        guard let unit = codeUnit(), !(0xDC00..<0xE000 ~= unit) else { return false }
        guard 0xD800..<0xDC00 ~= unit else { return true }
        guard take("\\"), take("u"), let low = codeUnit() else { return false }
        return 0xDC00..<0xE000 ~= low
    }

    private mutating func codeUnit() -> UInt32? {
        guard position + 4 <= scalars.count else { return nil }
        let digits = scalars[position..<position + 4]
        guard digits.allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit }) else { return nil }
        position += 4
        return UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
    }

    private mutating func number() -> Bool {
        _ = take("-")
        if !take("0") {
            guard digits() else { return false }
        }
        if take(".") {
            guard digits() else { return false }
        }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            guard digits() else { return false }
        }
        return true
    }

    private mutating func digits() -> Bool {
        let start = position
        while let scalar = next, "0"..."9" ~= scalar { position += 1 }
        return position > start
    }
}
