public import APNSModel

/// The payload that ends a Live Activity, sent to a device token or a channel.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
public struct LiveActivityEnd: BroadcastPayload {
    public static let pushType = PushType.liveactivity

    /// When an ended Live Activity leaves the lock screen.
    public enum Dismissal: Hashable, Sendable {
        /// The system decides, at most four hours after the end.
        case bySystem
        case atOnce
        /// At most four hours after the end.
        case at(PushDate)
    }

    public var timestamp: PushDate
    /// What stays on the lock screen until the dismissal. Apple recommends sending it with every end.
    public var contentState: [String: PayloadValue]
    public var dismissal: Dismissal
    public var alert: LiveActivityAlert?

    public init(
        at timestamp: PushDate, contentState: [String: PayloadValue], dismissal: Dismissal = .bySystem,
        alert: LiveActivityAlert? = nil
    ) {
        (self.timestamp, self.contentState, self.dismissal, self.alert) = (timestamp, contentState, dismissal, alert)
    }

    /// Any date in the past dismisses at once. The timestamp is in the past when the push arrives.
    private var dismissalDate: PushDate? {
        switch dismissal {
        case .bySystem: nil
        case .atOnce: timestamp
        case .at(let date): date
        }
    }

    public func encoded() -> [UInt8] {
        PayloadWriter.object { root in
            root.write("aps") { aps in
                aps.write(alert)
                aps.write("content-state", .object(contentState))
                aps.write("timestamp", timestamp)
                aps.write("event", "end")
                aps.write("dismissal-date", dismissalDate)
            }
        }
    }
}
