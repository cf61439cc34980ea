public import APNSModel
import PayloadJSON

/// A notification that shows what a rule means. Examples are the documentation of a rule and its test.
public struct Example: Hashable, Sendable {
    public var payload: String
    public var pushType: PushType?
    public var priority: HeaderText?
    public var expiration: HeaderText?
    public var topic: String?
    public var collapseID: String?
    public var apnsID: String?
    public var token: String?
    public var channelID: String?
    /// Where the notification comes from; nil for the kind that the headers suggest.
    public var kind: Envelope.Kind?
    /// What the payload becomes by the fix of the rule's finding; nil when the rule has none for it.
    public var fixed: String?
    /// The present, in seconds since 1970; nil where it is not known.
    public var now: Int64?
    /// The contracts of the app, for a rule about them.
    public var contracts: [ApplicationContract] = []
    /// The name of the file that `payload` is the whole text of; nil where it is only what is sent.
    public private(set) var fileName: String?

    /// A file as it stands, which may be an envelope or a simulator file.
    public init(file text: String, named name: String = "push.json") {
        payload = text
        fileName = name
    }

    public init(
        _ payload: String, _ pushType: PushType? = nil, priority: HeaderText? = nil, expiration: HeaderText? = nil,
        topic: String? = nil, collapseID: String? = nil, apnsID: String? = nil, token: String? = nil,
        channelID: String? = nil, kind: Envelope.Kind? = nil, now: Int64? = nil, fixed: String? = nil,
        contracts: [ApplicationContract] = []
    ) {
        self.payload = payload
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.topic = topic
        self.collapseID = collapseID
        self.apnsID = apnsID
        self.token = token
        self.channelID = channelID
        self.kind = kind
        self.now = now
        self.fixed = fixed
        self.contracts = contracts
    }

    /// With any header given it stands for a whole notification, without one for a bare payload.
    public var envelope: Envelope {
        if let fileName {
            var reader = EnvelopeReader()
            return reader.read(SourceText(name: fileName, bytes: Array(payload.utf8))).envelope
        }
        return Envelope(
            kind: kind ?? (headers.isEmpty ? .payload : .notification), token: token, topic: topic,
            pushType: pushType?.rawValue, priority: priority?.text, expiration: expiration?.text,
            collapseID: collapseID, apnsID: apnsID, channelID: channelID, payload: Array(payload.utf8))
    }

    /// What stands around the payload, as documentation has it.
    var headers: [String] {
        [
            ("push type", pushType?.rawValue), ("priority", priority?.text), ("expiration", expiration?.text),
            ("topic", topic), ("collapse id", collapseID), ("apns-id", apnsID), ("token", token),
            ("channel id", channelID), ("the file", fileName),
        ].compactMap { name, text in text.map { "\(name) \(Example.quotedIfOdd($0))" } }
    }

    /// With quotes where the text could not be told from what stands around it.
    private static func quotedIfOdd(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value > 0x20 && !$0.properties.isWhitespace }
        return isPlain ? text : JSONWriter.quoted(text)
    }
}
