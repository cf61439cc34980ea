public import APNSModel

/// The payload that changes a Live Activity, at a device token or on a channel.
///
/// Priority 10 counts against an hourly budget, 5 does not.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
public struct LiveActivityUpdate: BroadcastPayload {
    public static let pushType = PushType.liveactivity

    /// An update that is older than the last one is ignored.
    public var timestamp: PushDate
    public var contentState: [String: PayloadValue]
    public var alert: LiveActivityAlert?
    /// From when on the content counts as out of date.
    public var staleDate: PushDate?
    /// Which of several Live Activities comes first; any number.
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
