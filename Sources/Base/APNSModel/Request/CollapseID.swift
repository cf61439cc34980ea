/// The value of `apns-collapse-id`: at most 64 **bytes** of UTF-8.
public struct CollapseID: Hashable, Sendable {
    public let value: String

    public static let maximumBytes = 64

    /// Fails for an empty string, for more than 64 bytes, and for what no header can carry: control characters, and white
    /// space at either end.
    public init?(_ text: some StringProtocol) {
        self.init(received: text)
        guard value.utf8.first != 0x20, value.utf8.last != 0x20 else { return nil }
    }

    /// The value of a request. White space at its ends is the sender's fault, and no reason for a refusal.
    package init?(received text: some StringProtocol) {
        guard (1...CollapseID.maximumBytes).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f })
        else { return nil }
        value = String(text)
    }

    /// A recorded value, to send it again unchanged. APNs may refuse it.
    package init(recorded text: String) { value = text }
}

extension CollapseID: CustomStringConvertible {
    public var description: String { value }
}

extension CollapseID: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.checkedValue(or: "a collapse id is expected") { (text: String) in CollapseID(text) }
    }

    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
