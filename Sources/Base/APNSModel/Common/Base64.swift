/// Base64 of RFC 4648, in the forms that keys, provider tokens and channel ids use.
package enum Base64 {
    package enum Form {
        /// The alphabet with `-` and `_`, no padding, unused bits zero: what the standard demands of a token.
        case strictURL
        /// Both alphabets, padding optional, unused bits ignored.
        case lenient
        /// The alphabet with `+` and `/`, padding required; spaces, tabs and line ends are skipped.
        case pem
        /// The alphabet with `+` and `/`, padding required, unused bits ignored.
        case padded
    }

    package enum DecodingError: Error, Equatable {
        /// The byte at this offset is not allowed there.
        case character(at: Int)
        /// The last group is not complete.
        case truncated
    }

    /// With padding; empty for no bytes.
    package static func encode(_ bytes: [UInt8]) -> [UInt8] { encode(bytes, alphabet: alphabet, pads: true) }

    /// Without padding; empty for no bytes.
    package static func encodeURL(_ bytes: [UInt8]) -> [UInt8] { encode(bytes, alphabet: urlAlphabet, pads: false) }

    /// Whether `text` is non-empty base64 with its padding.
    package static func isPadded(_ text: String) -> Bool {
        !text.isEmpty && (try? decode(text.utf8, as: .padded)) != nil
    }

    /// An empty text decodes to no bytes.
    package static func decode(_ text: some Collection<UInt8>, as form: Form) throws(DecodingError) -> [UInt8] {
        // An array, because a generic loop over the bytes is slow where it is not specialized.
        try decode(bytes: Array(text), as: form)
    }

    private static func decode(bytes text: [UInt8], as form: Form) throws(DecodingError) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count / 4 * 3 + 3)
        var bits: UInt32 = 0
        var digits = 0
        var padding = 0
        var offset = -1
        for byte in text {
            offset += 1
            if form == .pem, byte.isBlank { continue }
            if byte == UInt8(ascii: "="), form != .strictURL, padding < 2, digits % 4 + padding > 1 {
                padding += 1
                guard digits % 4 + padding <= 4 else { throw .character(at: offset) }
                continue
            }
            guard padding == 0, let value = value(of: byte, in: form) else { throw .character(at: offset) }
            bits = bits << 6 | value
            digits += 1
            if digits.isMultiple(of: 4) {
                output += [UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8)]
                output.append(UInt8(truncatingIfNeeded: bits))
            }
        }
        let rest = digits % 4
        guard rest != 1, padding == 0 || rest + padding == 4, !form.needsPadding || rest == 0 || padding > 0 else {
            throw .truncated
        }
        let unused: UInt32 = rest == 2 ? 0xf : rest == 3 ? 0x3 : 0
        guard form == .lenient || form == .padded || bits & unused == 0 else { throw .character(at: offset) }
        if rest == 3 { output.append(UInt8(truncatingIfNeeded: bits >> 10)) }
        if rest >= 2 { output.append(UInt8(truncatingIfNeeded: bits >> (rest == 2 ? 4 : 2))) }
        return output
    }

    /// The 64 characters with `+` and `/`, each at the position of its six bits.
    package static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let urlAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func encode(_ bytes: [UInt8], alphabet: [UInt8], pads: Bool) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits: UInt32 = 0
        var pending = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            pending += 8
            while pending >= 6 {
                pending -= 6
                output.append(alphabet[Int(bits >> UInt32(pending) & 63)])
            }
        }
        if pending > 0 { output.append(alphabet[Int(bits << UInt32(6 - pending) & 63)]) }
        while pads, !output.count.isMultiple(of: 4) { output.append(UInt8(ascii: "=")) }
        return output
    }

    private static func value(of byte: UInt8, in form: Form) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): form == .strictURL ? nil : 62
        case UInt8(ascii: "/"): form == .strictURL ? nil : 63
        case UInt8(ascii: "-"): form.needsPadding ? nil : 62
        case UInt8(ascii: "_"): form.needsPadding ? nil : 63
        default: nil
        }
    }
}

extension Base64.Form {
    fileprivate var needsPadding: Bool { self == .pem || self == .padded }
}

extension UInt8 {
    /// Space, tab, line feed, carriage return.
    package var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0a || self == 0x0d }
}
