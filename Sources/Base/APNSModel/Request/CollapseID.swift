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

    /// Reads the same, and throws an error that says what is wrong.
    public init(parsing text: some StringProtocol) throws(APNSValueError) {
        guard let id = CollapseID(text) else { throw APNSValueError(.collapseID, CollapseID.problem(in: text)) }
        self = id
    }

    private static func problem(in text: some StringProtocol) -> String {
        guard !text.isEmpty else { return "the collapse id is empty; leave it out, or give 1 to \(maximumBytes) bytes" }
        let count = text.utf8.count
        guard count <= maximumBytes else {
            return "the collapse id has \(count) bytes of UTF-8; shorten it to \(maximumBytes), or use a hash of it"
        }
        let wrong = text.unicodeScalars.first { $0.value < 0x20 || $0.value == 0x7f }
        guard let wrong else { return "the collapse id begins or ends with a space; take the space away" }
        return "the collapse id has \(wrong.named), which no header can carry; take it away"
    }

    /// The same for bytes of UTF-8, without a generic call for each byte.
    package init?(utf8: UnsafeBufferPointer<UInt8>) {
        guard CollapseID.isWellFormed(utf8), utf8.first != 0x20, utf8.last != 0x20 else { return nil }
        value = String(decoding: utf8, as: UTF8.self)
    }

    /// Whether these are 1 to 64 bytes without control characters.
    package static func isWellFormed(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        guard (1...maximumBytes).contains(utf8.count) else { return false }
        for byte in utf8 where byte < 0x20 || byte == 0x7f { return false }
        return true
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
