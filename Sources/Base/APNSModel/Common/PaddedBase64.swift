/// Base64 of RFC 4648 section 4, with padding.
package enum PaddedBase64 {
    /// Whether `text` is non-empty base64 with its padding.
    package static func isBase64(_ text: String) -> Bool {
        let utf8 = text.utf8
        guard !utf8.isEmpty, utf8.count.isMultiple(of: 4) else { return false }
        let padding = utf8.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return utf8.dropLast(padding).allSatisfy { value(of: $0) != nil }
    }

    /// The decoded bytes; nil unless `text` is base64 with its padding. An empty string decodes to no bytes.
    package static func bytes(of text: String) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        guard isBase64(text) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3)
        var (bits, count): (UInt32, Int) = (0, 0)
        for value in text.utf8.lazy.compactMap({ value(of: $0) }) {
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return bytes
    }

    /// An empty string for no bytes.
    package static func text(of bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity((bytes.count + 2) / 3 * 4)
        var (bits, count): (UInt32, Int) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                digits.append(alphabet[Int(bits >> UInt32(count) & 63)])
            }
        }
        if count > 0 { digits.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
        while !digits.count.isMultiple(of: 4) { digits.append(UInt8(ascii: "=")) }
        return String(decoding: digits, as: UTF8.self)
    }

    /// The 64 characters, each at the position of its six bits.
    package static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The six bits that a character encodes; nil for a character outside of the base64 alphabet.
    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
