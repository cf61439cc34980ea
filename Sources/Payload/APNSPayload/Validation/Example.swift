public import APNSModel
import PayloadJSON

/// A notification that passes or fails a rule. Examples are both the documentation and the tests of a rule.
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
    /// The source of the notification; nil to infer it from the headers.
    public var kind: Envelope.Kind?
    /// The payload after the fix of the rule's finding; nil if there is no fix.
    public var fixed: String?
    /// The current time in seconds since 1970; nil if unknown.
    public var now: Int64?
    /// The contracts of the app, for a rule about contracts.
    public var contracts: [ApplicationContract] = []
    /// The name of the file whose content `payload` is; nil if `payload` is only what is sent.
    public private(set) var fileName: String?

    /// The content of a file, which may be an envelope or a simulator file.
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

    /// A notification if a header is given, otherwise a bare payload.
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

    /// The headers and other facts, for the documentation.
    var headers: [String] {
        [
            ("push type", pushType?.rawValue), ("priority", priority?.text), ("expiration", expiration?.text),
            ("topic", topic), ("collapse id", collapseID), ("apns-id", apnsID), ("token", token),
            ("channel id", channelID), ("the file", fileName),
        ].compactMap { name, text in text.map { "\(name) \(Example.quotedIfNeeded($0))" } }
    }

    /// In quotes if the value is empty or contains white space.
    private static func quotedIfNeeded(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value > 0x20 && !$0.properties.isWhitespace }
        return isPlain ? text : JSONWriter.quoted(text)
    }
}
