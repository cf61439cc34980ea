/// The id of a broadcast channel, as APNs gave it out: base64 text of a length that Apple does not promise.
public struct ChannelID: Hashable, Sendable {
    public let base64: String

    /// Fails unless `text` is base64 with its padding (RFC 4648, section 4), and not empty.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        let padding = bytes.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard !bytes.isEmpty, bytes.count.isMultiple(of: 4), padding <= 2,
            bytes.dropLast(padding).allSatisfy(ChannelID.isInAlphabet)
        else { return nil }
        base64 = String(text)
    }

    private static func isInAlphabet(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}

extension ChannelID: CustomStringConvertible {
    public var description: String { base64 }
}
