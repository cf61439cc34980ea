/// The id of a broadcast channel, which APNs creates: base64, of no documented length.
///
/// Senders and apps treat it as opaque (docs/reference/apns.md 7.4).
public struct ChannelID: Hashable, Sendable {
    public let base64: String

    /// Fails unless `text` is non-empty base64 with its padding (RFC 4648, section 4).
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        guard Base64.isPadded(text) else { return nil }
        base64 = text
    }

    /// Reads the same, and throws an error that says what is wrong.
    public init(parsing text: some StringProtocol) throws(APNSValueError) {
        guard let id = ChannelID(text) else {
            let problem = text.isEmpty ? "is empty" : "\(ShownText.quoted(text)) is not base64 with its padding"
            throw APNSValueError(
                .channelID, "the channel id \(problem); take it as the header apns-channel-id of APNs had it")
        }
        self = id
    }

    /// - Parameter bytes: At least one.
    package init(bytes: [UInt8]) { base64 = String(decoding: Base64.encode(bytes), as: UTF8.self) }
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
