/// The id of a broadcast channel, which APNs creates: base64, of no documented length.
public struct ChannelID: Hashable, Sendable {
    public let base64: String

    /// Fails unless `text` is non-empty base64 with its padding (RFC 4648, section 4).
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        guard PaddedBase64.isBase64(text) else { return nil }
        base64 = text
    }
}

extension ChannelID: CustomStringConvertible {
    public var description: String { base64 }
}
