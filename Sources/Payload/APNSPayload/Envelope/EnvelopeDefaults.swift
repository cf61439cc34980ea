public import APNSModel

/// The values of headers that an envelope does not have. There is none for `apns-id`, which must be different for each
/// notification.
public struct EnvelopeDefaults: Hashable, Sendable {
    public var deviceToken: DeviceToken?
    public var topic: Topic?
    public var pushType: PushType?
    public var priority: Priority?
    public var expiration: Expiration?
    public var collapseID: CollapseID?

    public init(
        deviceToken: DeviceToken? = nil, topic: Topic? = nil, pushType: PushType? = nil, priority: Priority? = nil,
        expiration: Expiration? = nil, collapseID: CollapseID? = nil
    ) {
        self.deviceToken = deviceToken
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
    }
}
