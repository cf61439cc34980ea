public import APNSModel

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
    /// Where the notification comes from; nil for the kind that the headers suggest.
    public var kind: Envelope.Kind?
    /// What the payload becomes by the fix of the rule's finding; nil when the rule has none for it.
    public var fixed: String?

    public init(
        _ payload: String, _ pushType: PushType? = nil, priority: HeaderText? = nil, expiration: HeaderText? = nil,
        topic: String? = nil, collapseID: String? = nil, apnsID: String? = nil, token: String? = nil,
        kind: Envelope.Kind? = nil, fixed: String? = nil
    ) {
        self.payload = payload
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.topic = topic
        self.collapseID = collapseID
        self.apnsID = apnsID
        self.token = token
        self.kind = kind
        self.fixed = fixed
    }

    /// With any header given it stands for a whole notification, without one for a bare payload.
    public var envelope: Envelope {
        Envelope(
            kind: kind ?? (headers.isEmpty ? .payload : .notification), token: token, topic: topic,
            pushType: pushType?.rawValue, priority: priority?.text, expiration: expiration?.text,
            collapseID: collapseID, apnsID: apnsID, payload: Array(payload.utf8))
    }

    /// What stands around the payload, as documentation has it.
    var headers: [String] {
        [
            pushType.map { "push type \($0)" }, priority.map { "priority \($0)" },
            expiration.map { "expiration \($0)" }, topic.map { "topic \($0)" },
            collapseID.map { "collapse id \($0)" }, apnsID.map { "apns-id \($0)" }, token.map { "token \($0)" },
        ].compactMap { $0 }
    }
}
