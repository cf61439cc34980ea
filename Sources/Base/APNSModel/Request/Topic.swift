/// The app that a notification addresses: its bundle id, with a suffix for some push types.
public struct Topic: Hashable, Sendable {
    public let value: String

    /// Fails for an empty string, for more than 255 bytes, and for characters other than ASCII letters, digits, `.`, `-` and
    /// `_`. Apple does not document what causes `BadTopic`; this is our choice.
    public init?(_ text: some StringProtocol) {
        guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy(\.isTopicCharacter) else { return nil }
        value = String(text)
    }

    /// Reads the same, and throws an error that says what is wrong.
    public init(parsing text: some StringProtocol) throws(APNSValueError) {
        guard let topic = Topic(text) else { throw APNSValueError(.topic, Topic.problem(in: text)) }
        self = topic
    }

    private static func problem(in text: some StringProtocol) -> String {
        let wanted = "it is the bundle id of the app, such as com.example.app, with a suffix for some push types"
        guard !text.isEmpty else { return "the topic is empty; \(wanted)" }
        let shown = ShownText.quoted(text)
        let wrong = text.unicodeScalars.enumerated()
            .first { !$0.element.isASCII || !UInt8($0.element.value).isTopicCharacter }
        guard let wrong else { return "the topic \(shown) has \(text.utf8.count) bytes, more than 255; \(wanted)" }
        return "the topic \(shown) has \(wrong.element.named) at character \(wrong.offset + 1); \(wanted)"
    }

    /// The same for bytes of UTF-8, without a generic call for each byte.
    package init?(utf8: UnsafeBufferPointer<UInt8>) {
        guard (1...255).contains(utf8.count), utf8.allSatisfy(\.isTopicCharacter) else { return nil }
        value = String(decoding: utf8, as: UTF8.self)
    }

    /// A recorded value, to send it again unchanged. APNs may refuse it. An empty one leaves the header out.
    package init(recorded text: String) { value = text }

    /// The suffixes of docs/reference/apns.md 2.3, longest first.
    package static let suffixes: [String] = PushType.facts.map(\.topicSuffix).filter { !$0.isEmpty }
        .sorted { $0.utf8.count > $1.utf8.count }

    /// The push type's suffix at the end of the topic; empty for a bare bundle id.
    public var suffix: String { Topic.suffixes.first { value.hasSuffix($0) } ?? "" }

    /// The topic without the suffix of its push type.
    public var bundleID: String { String(value.dropLast(suffix.count)) }

    /// The push types with this topic's suffix, in the order of `PushType.known`.
    public var pushTypes: [PushType] {
        let suffix = suffix
        return PushType.facts.filter { $0.topicSuffix == suffix }.map(\.type)
    }

    /// The topic for `pushType` of the app with this topic's bundle id; the topic itself for an unknown push type.
    public func topic(for pushType: PushType) -> Topic {
        guard let suffix = pushType.topicSuffix else { return self }
        return Topic(bundleID + suffix) ?? self
    }
}

extension Topic: CustomStringConvertible {
    public var description: String { value }
}

extension Topic: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.checkedValue(or: "a topic is expected") { (text: String) in Topic(text) }
    }

    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension UInt8 {
    fileprivate var isTopicCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
