public import APNSModel

/// A notification that shows what a rule means. Examples are the documentation of a rule and its test.
public struct Example: Hashable, Sendable {
    public var payload: String
    public var pushType: PushType?
    public var priority: Int?
    public var topic: String?

    public init(_ payload: String, _ pushType: PushType? = nil, priority: Int? = nil, topic: String? = nil) {
        self.payload = payload
        self.pushType = pushType
        self.priority = priority
        self.topic = topic
    }

    /// With any header given it stands for a whole notification, without one for a bare payload.
    public var envelope: Envelope {
        let isBare = pushType == nil && priority == nil && topic == nil
        return Envelope(
            kind: isBare ? .payload : .notification, topic: topic, pushType: pushType?.rawValue,
            priority: priority.map { "\($0)" }, payload: Array(payload.utf8))
    }
}
