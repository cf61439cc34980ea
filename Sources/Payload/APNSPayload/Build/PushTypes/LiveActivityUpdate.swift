public import APNSModel

/// The payload that updates a Live Activity, sent to a device token or a channel.
///
/// Priority 10 counts against an hourly budget, 5 does not.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
public struct LiveActivityUpdate: BroadcastPayload {
    public static let pushType = PushType.liveactivity

    /// The device ignores an update that is older than the last one.
    public var timestamp: PushDate
    public var contentState: [String: PayloadValue]
    public var alert: LiveActivityAlert?
    /// The time from which the content counts as out of date.
    public var staleDate: PushDate?
    /// The rank of the Live Activity among several; any number.
    public var relevanceScore: FiniteNumber?

    public init(
        at timestamp: PushDate, contentState: [String: PayloadValue], alert: LiveActivityAlert? = nil,
        staleDate: PushDate? = nil, relevanceScore: FiniteNumber? = nil
    ) {
        (self.timestamp, self.contentState, self.alert) = (timestamp, contentState, alert)
        (self.staleDate, self.relevanceScore) = (staleDate, relevanceScore)
    }

    public func encoded() -> [UInt8] {
        PayloadWriter.object { root in
            root.write("aps") { aps in
                aps.write(alert)
                aps.write("relevance-score", relevanceScore.map { .number($0) })
                aps.write("stale-date", staleDate)
                aps.write("content-state", .object(contentState))
                aps.write("timestamp", timestamp)
                aps.write("event", "update")
            }
        }
    }
}
