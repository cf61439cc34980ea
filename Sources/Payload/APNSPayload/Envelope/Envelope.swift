/// One notification with its headers as raw text, before anybody has judged them.
///
/// Keys and values are those of the wire (`docs/reference/interfaces.md` 1.1), so a value that no type of APNSModel would take can be
/// kept, checked and reported.
public struct Envelope: Hashable, Sendable {
    /// Where the notification comes from, which says how much of it is known.
    public enum Kind: String, Hashable, Sendable {
        /// A bare payload; its headers are not known.
        case payload
        /// A file for `simctl push`; of its headers at most the topic is known.
        case apns
        /// An envelope; a header that is not in it is absent.
        case envelope
        /// A notification about to be sent, or received by a gateway; a header that is not in it is absent.
        case notification
    }

    public var kind: Kind
    /// The device token, in hexadecimal digits if it is right.
    public var token: String?
    public var topic: String?
    public var pushType: String?
    public var priority: String?
    public var expiration: String?
    public var collapseID: String?
    public var apnsID: String?
    /// The channel of a broadcast.
    public var channelID: String?
    /// What is wrong with the envelope itself, and so would not be seen in the values above.
    public var problems: [EnvelopeProblem]
    /// The body, byte for byte as it is sent.
    public var payload: [UInt8]

    public init(
        kind: Kind = .notification, token: String? = nil, topic: String? = nil, pushType: String? = nil,
        priority: String? = nil, expiration: String? = nil, collapseID: String? = nil, apnsID: String? = nil,
        channelID: String? = nil, problems: [EnvelopeProblem] = [], payload: [UInt8]
    ) {
        self.kind = kind
        self.token = token
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.apnsID = apnsID
        self.channelID = channelID
        self.problems = problems
        self.payload = payload
    }

    /// Whether a missing header means that it is absent, and not only that it is unknown.
    public var hasKnownHeaders: Bool { kind == .envelope || kind == .notification }

    /// Whether it goes to a channel, and not to a device.
    public var isBroadcast: Bool { channelID != nil && token == nil }
}
