public import APNSModel

/// What stands in for headers that an envelope leaves out. There is none for `apns-id`, which has to differ each time.
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
