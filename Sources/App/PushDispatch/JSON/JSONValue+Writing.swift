extension JSONValue {
    /// Compact JSON in UTF-8, keys sorted by their bytes. A number that is not finite becomes `null`, since JSON has no
    /// such number.
    package var compactBytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// The same bytes for all values that a device cannot distinguish: a Boolean is written as 1 or 0, and a whole
    /// number without a fraction. Only for comparing.
    package var canonicalBytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes, canonically: true)
        return bytes
    }

    package func append(to bytes: inout [UInt8]) { append(to: &bytes, canonically: false) }

    private func append(to bytes: inout [UInt8], canonically: Bool) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value):
            bytes.append(contentsOf: (canonically ? (value ? "1" : "0") : (value ? "true" : "false")).utf8)
        case .integer(let value): bytes.append(contentsOf: String(value).utf8)
        case .number(let value):
            if canonically, let whole = Int64(exactly: value) {
                bytes.append(contentsOf: String(whole).utf8)
            } else {
                bytes.append(contentsOf: (value.isFinite ? "\(value)" : "null").utf8)
            }
        case .string(let text): JSONValue.append(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.append(to: &bytes, canonically: canonically)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key.precedesByBytes($1.key) }).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONValue.append(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.append(to: &bytes, canonically: canonically)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Appends an object with its members in the given order.
    package static func appendObject(_ members: [(key: String, value: JSONValue)], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(member.key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            member.value.append(to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Appends a string in quotes.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { text in
            // Most strings have nothing to escape, and are faster to append as a whole.
            if text.contains(where: isEscaped) {
                for byte in text { append(byte, to: &bytes) }
            } else {
                bytes.append(contentsOf: text)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0x0a: bytes.append(contentsOf: #"\n"#.utf8)
        case 0x0d: bytes.append(contentsOf: #"\r"#.utf8)
        case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
        case 0..<0x20:
            bytes.append(contentsOf: #"\u00"#.utf8)
            for digit in [byte >> 4, byte & 15] {
                bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + (digit - 10))
            }
        default: bytes.append(byte)
        }
    }
}

extension String {
    /// The order of two strings by their UTF-8 bytes.
    package func precedesByBytes(_ other: String) -> Bool {
        utf8.withContiguousStorageIfAvailable { mine in
            other.utf8.withContiguousStorageIfAvailable { mine.lexicographicallyPrecedes($0) }
        }.flatMap(\.self) ?? utf8.lexicographicallyPrecedes(other.utf8)
    }
}
