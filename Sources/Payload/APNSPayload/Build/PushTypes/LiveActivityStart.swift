public import APNSModel

/// The payload that starts a Live Activity. It goes to a push-to-start device token, never to a channel.
///
/// The app's types decode attributes and content with default strategies, in which dates are seconds since 2001.
/// `PayloadValue(json:)` accepts the output of a `JSONEncoder` for those types. Together they may have 4 KB.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
public struct LiveActivityStart: PushPayload {
    public static let pushType = PushType.liveactivity

    /// How the started Live Activity receives updates.
    public enum Updates: Hashable, Sendable {
        /// The app requests a device token itself.
        case byApp
        /// The system creates a device token and passes it to the app (iOS 18).
        case byDeviceToken
        /// The system subscribes to a channel (iOS 18). Older systems do not start the Live Activity.
        case byChannel(ChannelID)
    }

    public var timestamp: PushDate
    /// The name of the Swift type of the app's attributes.
    public var attributesType: String
    public var attributes: [String: PayloadValue]
    public var contentState: [String: PayloadValue]
    public var alert: LiveActivityAlert
    /// The time from which the content counts as out of date.
    public var staleDate: PushDate?
    /// The rank of the Live Activity among several; any number.
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
