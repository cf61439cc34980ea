/// Why a text is not a device token, a topic, an id or another value of APNs.
public struct APNSValueError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The value that was to be made. A struct, so that a new one is not a breaking change.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let deviceToken = Code(rawValue: "device-token")
        public static let topic = Code(rawValue: "topic")
        public static let collapseID = Code(rawValue: "collapse-id")
        public static let channelID = Code(rawValue: "channel-id")
        public static let notificationID = Code(rawValue: "apns-id")
        public static let expiration = Code(rawValue: "expiration")
        public static let keyID = Code(rawValue: "key-id")
        public static let teamID = Code(rawValue: "team-id")
        public static let gateway = Code(rawValue: "gateway")
    }

    public var code: Code
    /// What is wrong and what the right form is, in a sentence. It shows no more of a device token than its ends.
    public var detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { detail }
}
