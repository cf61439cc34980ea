/// The id of a channel: base64 text that senders and apps treat as opaque (docs/reference/apns.md 7.4).
package struct ChannelID: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Apple says "too long" without a figure; this is our choice, in characters.
    static let maximumLength = 128

    /// Fails unless `text` is base64 with padding, not empty and at most `maximumLength` characters long.
    package init?(_ text: some StringProtocol) {
        let bytes = text.utf8
        guard (1...ChannelID.maximumLength).contains(bytes.count), bytes.count.isMultiple(of: 4) else { return nil }
        let padding = bytes.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard bytes.dropLast(padding).allSatisfy(\.isBase64) else { return nil }
        self.text = String(text)
    }

    /// 16 random bytes (section 11, row 35).
    ///
    /// - Parameter isASCII: Whether the bytes are letters, digits, `+` and `/` only.
    init(using generator: inout some RandomNumberGenerator, isASCII: Bool = false) {
        let words = [generator.next(), generator.next()]
        var bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
        if isASCII { bytes = bytes.map { ChannelID.alphabet[Int($0 & 63)] } }
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = (0..<3).reduce(UInt32(0)) { bits, offset in
                bits << 8 | (offset < group.count ? UInt32(group[start + offset]) : 0)
            }
            for digit in 0..<4 {
                let value = Int(bits >> UInt32(18 - 6 * digit) & 63)
                text.unicodeScalars.append(
                    digit <= group.count ? Unicode.Scalar(ChannelID.alphabet[value]) : Unicode.Scalar(UInt8(ascii: "="))
                )
            }
        }
        self.text = text
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package var description: String { text }
}

extension UInt8 {
    fileprivate var isBase64: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
