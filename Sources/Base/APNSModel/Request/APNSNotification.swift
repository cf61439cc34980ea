/// A notification with everything that is sent, except the provider's credentials.
public struct APNSNotification: Hashable, Sendable {
    public var deviceToken: DeviceToken
    public var topic: Topic
    public var pushType: PushType
    /// Nil leaves the header out; APNs then assumes 10.
    public var priority: Priority?
    /// Nil leaves the header out; APNs then keeps the notification for up to 30 days.
    public var expiration: Expiration?
    public var collapseID: CollapseID?
    /// Nil lets the sender make one, so that each outcome has an id.
    public var id: NotificationID?
    /// The body, exactly as it is sent.
    public var payload: [UInt8]

    public init(
        to deviceToken: DeviceToken, topic: Topic, pushType: PushType, priority: Priority? = nil,
        expiration: Expiration? = nil, collapseID: CollapseID? = nil, id: NotificationID? = nil, payload: [UInt8]
    ) {
        self.deviceToken = deviceToken
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.id = id
        self.payload = payload
    }
}
