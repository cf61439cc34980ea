/// A notification with its headers as unchecked strings.
///
/// Keys and values are those of the HTTP request (`docs/reference/interfaces.md` 1.1). A value that the types of
/// APNSModel do not allow can be stored here, checked and reported.
public struct Envelope: Hashable, Sendable {
    /// Where the notification comes from. This determines which headers are known.
    public enum Kind: String, Hashable, Sendable {
        /// A bare payload; its headers are unknown.
        case payload
        /// A file for `simctl push`; only its topic can be known.
        case apns
        /// An envelope; a header that it does not contain is absent.
        case envelope
        /// A notification about to be sent, or received by a gateway; a header that it does not contain is absent.
        case notification
    }

    public var kind: Kind
    /// The device token; hexadecimal digits if it is valid.
    public var token: String?
    public var topic: String?
    public var pushType: String?
    public var priority: String?
    public var expiration: String?
    public var collapseID: String?
    public var apnsID: String?
    /// Whether the id was given as `apns-request-id`, the other name that it has for a broadcast.
    package var isIDOfRequest = false
    /// The headers that an envelope has with null, which counts as absent.
    var nullHeaders: Set<EnvelopeKey> = []
    /// The channel of a broadcast.
    public var channelID: String?
    /// Problems of the envelope itself, which the values above do not show.
    public var problems: [EnvelopeProblem]
    /// The body, exactly as it is sent.
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

    /// Whether a header that is nil is absent; otherwise it is unknown.
    public var hasKnownHeaders: Bool { kind == .envelope || kind == .notification }

    /// Whether it was meant to be an envelope, and its payload cannot be decoded.
    var hasUnreadablePayload: Bool { !problems.isEmpty && problems.contains { $0.kind == .notBase64 } }

    /// Whether it goes to a channel and not to a device.
    public var isBroadcast: Bool { channelID != nil && token == nil }
}
