/// The value of `apns-collapse-id`: at most 64 **bytes** of UTF-8.
public struct CollapseID: Hashable, Sendable {
    public let value: String

    public static let maximumBytes = 64

    /// Fails for an empty string, for more than 64 bytes, and for control characters, which no header can carry.
    public init?(_ text: some StringProtocol) {
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
