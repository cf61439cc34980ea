/// The id of a broadcast channel, which APNs creates: base64, of no documented length.
///
/// Senders and apps treat it as opaque (docs/reference/apns.md 7.4).
public struct ChannelID: Hashable, Sendable {
    public let base64: String

    /// Fails unless `text` is non-empty base64 with its padding (RFC 4648, section 4).
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        guard PaddedBase64.isBase64(text) else { return nil }
        base64 = text
    }

    /// - Parameter bytes: At least one.
    package init(bytes: [UInt8]) { base64 = PaddedBase64.text(of: bytes) }
}

extension ChannelID: CustomStringConvertible {
    public var description: String { base64 }
}

extension ChannelID: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.checkedValue(or: "a channel id is expected") { (text: String) in ChannelID(text) }
    }

    public func encode(to encoder: any Encoder) throws { try base64.encode(to: encoder) }
}
