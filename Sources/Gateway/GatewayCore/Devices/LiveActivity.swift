import APNSModel

/// The state of the Live Activity of a device token (docs/reference/apns.md 6.6). All times are the world's.
package struct LiveActivity: Hashable, Sendable, Codable {
    /// The newest `timestamp` that reached the device, in seconds since 1970.
    private var timestamp: Double?
    /// When an `end` reached the device. Milliseconds since 1970.
    package private(set) var endedAt: Int64?

    /// The longest life of an activity. Milliseconds.
    static let maximumLifetime: Int64 = 8 * 3_600_000

    /// Why the system ignores a push; nil if it acts on it.
    ///
    /// - Parameter registered: When the device token was registered. Milliseconds since 1970.
    func objection(
        to delivery: Delivery, of kind: DeviceKind, registered: Int64, at now: Int64
    ) -> String? {
        guard let aps = PayloadAPS(delivery.payload), let event = aps.event else {
            return "the payload has no aps.event, without which the system does nothing; send start, update or end"
        }
        guard let timestamp = aps.timestamp else {
            return "the payload has no aps.timestamp in seconds since 1970, and the system ignores a Live Activity "
                + "push without one"
        }
        if kind == .startLiveActivity {
            guard event != "start" else { return nil }
            return "the device token starts Live Activities, and the event is \(PeerText.quoted(event)); send it to "
                + "the device token of the activity"
        }
        guard event != "start" else {
            return "the device token belongs to one Live Activity, and the event is start; send it to a "
                + "push-to-start device token, which is of the kind start-liveactivity"
        }
        if let endedAt {
            return "the Live Activity ended \(Period.text((now - endedAt) / 1000)) ago; send no more to it"
        }
        guard now - registered < LiveActivity.maximumLifetime else {
            return "the device token is older than 8 hours, the longest that a Live Activity lives; the system has "
                + "ended it"
        }
        if let newest = self.timestamp, timestamp < newest {
            return "aps.timestamp is \(timestamp.whole), older than \(newest.whole) of a push "
                + "before it, so the system ignores it"
        }
        return nil
    }

    /// The system acts on a push.
    mutating func apply(_ delivery: Delivery, at now: Int64) {
        guard let aps = PayloadAPS(delivery.payload) else { return }
        if let timestamp = aps.timestamp { self.timestamp = max(timestamp, self.timestamp ?? timestamp) }
        if aps.event == "end" { endedAt = now }
    }
}

extension Double {
    /// Without the fraction, within the range of `Int64`.
    fileprivate var whole: Int64 { Int64(Swift.min(Swift.max(self, -9e18), 9e18)) }
}
