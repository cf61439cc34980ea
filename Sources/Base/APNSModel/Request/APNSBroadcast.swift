/// A message to every device that subscribes to a channel, with everything that is sent except the provider's credentials.
///
/// APNs accepts updates and ends of Live Activities only, with a payload of at most 5120 bytes (docs/reference/apns.md 7.3).
public struct APNSBroadcast: Hashable, Sendable {
    public var channelID: ChannelID
    /// The app that the channel belongs to. Only its bundle id is sent, without a suffix.
    public var app: Topic
    public var pushType: PushType
    public var priority: Priority
    /// `.once` for a channel that stores nothing. Another channel stores the message until then, for at most 8 hours.
    public var expiration: Expiration
    /// The `apns-request-id`. Nil lets the sender make one, so that each outcome has an id.
    public var id: NotificationID?
    /// The body, exactly as it is sent.
    public var payload: [UInt8]

    public init(
        to channelID: ChannelID, of app: Topic, pushType: PushType = .liveactivity, priority: Priority = .immediate,
        expiration: Expiration, id: NotificationID? = nil, payload: [UInt8]
    ) {
        self.channelID = channelID
        self.app = app
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.id = id
        self.payload = payload
    }
}
