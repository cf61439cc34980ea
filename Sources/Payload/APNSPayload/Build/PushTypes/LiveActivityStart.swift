public import APNSModel

/// The payload that starts a Live Activity. It goes to a push-to-start device token, never to a channel.
///
/// Attributes and content are decoded by the app's types with default strategies, in which dates are seconds since 2001;
/// `PayloadValue(json:)` takes what a `JSONEncoder` makes of those types. Together they may have 4 KB.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
public struct LiveActivityStart: PushPayload {
    public static let pushType = PushType.liveactivity

    /// Where updates of the started Live Activity will come from.
    public enum Updates: Hashable, Sendable {
        /// The app asks for a device token itself.
        case byApp
        /// The system makes a device token and gives it to the app (iOS 18).
        case byDeviceToken
        /// The system subscribes to a channel (iOS 18). Older systems do not start the Live Activity.
        case byChannel(ChannelID)
    }

    public var timestamp: PushDate
    /// The name of the app's Swift type of attributes.
    public var attributesType: String
    public var attributes: [String: PayloadValue]
    public var contentState: [String: PayloadValue]
    public var alert: LiveActivityAlert
    /// From when on the content counts as out of date.
    public var staleDate: PushDate?
    /// Which of several Live Activities comes first; any number.
    public var relevanceScore: FiniteNumber?
    public var updates: Updates

    public init(
        at timestamp: PushDate, attributesType: String, attributes: [String: PayloadValue],
        contentState: [String: PayloadValue], alert: LiveActivityAlert, staleDate: PushDate? = nil,
        relevanceScore: FiniteNumber? = nil, updates: Updates = .byApp
    ) {
        (self.timestamp, self.attributesType, self.attributes) = (timestamp, attributesType, attributes)
        (self.contentState, self.alert, self.staleDate) = (contentState, alert, staleDate)
        (self.relevanceScore, self.updates) = (relevanceScore, updates)
    }

    public func encoded() -> [UInt8] {
        PayloadWriter.object { root in
            root.write("aps") { aps in
                aps.write(alert)
                aps.write("relevance-score", relevanceScore.map { .number($0) })
                aps.write("stale-date", staleDate)
                aps.write("content-state", .object(contentState))
                aps.write("timestamp", timestamp)
                aps.write("event", "start")
                aps.write("attributes-type", attributesType)
                aps.write("attributes", .object(attributes))
                switch updates {
                case .byApp: break
                case .byDeviceToken: aps.write("input-push-token", flag: true)
                case .byChannel(let channel): aps.write("input-push-channel", channel.base64)
                }
            }
        }
    }
}
