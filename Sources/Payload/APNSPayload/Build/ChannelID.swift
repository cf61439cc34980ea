/// The id of a broadcast channel, as APNs gave it out: base64 text of a length that Apple does not promise.
public struct ChannelID: Hashable, Sendable {
    public let base64: String

    /// Fails unless `text` is base64 with its padding (RFC 4648, section 4), and not empty.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        guard PaddedBase64.isBase64(text) else { return nil }
        base64 = text
    }
}

extension ChannelID: CustomStringConvertible {
    public var description: String { base64 }
}
