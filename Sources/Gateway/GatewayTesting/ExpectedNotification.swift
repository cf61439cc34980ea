public import APNSModel
public import APNSPayload
import GatewayCore

/// What a notification or a broadcast has to look like. A field that is not named may have any value.
public struct ExpectedNotification: Hashable, Sendable, CustomStringConvertible {
    private(set) var match = NotificationMatch()
    private var words: [String]

    private init(_ kind: RequestKind, _ word: String) {
        words = [word]
        match[.request] = .equals(kind.rawValue)
    }

    /// Any notification, accepted or refused.
    ///
    /// - Parameters:
    ///   - device: The device token in hexadecimal digits.
    ///   - topic: The whole topic, with the suffix of some push types.
    ///   - payload: What the payload has to contain. It may have more members; arrays are compared as a whole.
    public static func sent(
        to device: String? = nil, topic: String? = nil, pushType: PushType? = nil, priority: Priority? = nil,
        expiration: Expiration? = nil, collapseID: String? = nil, payload: PayloadValue? = nil
    ) -> ExpectedNotification {
        var expected = ExpectedNotification(.notification, "notification")
        expected.add(.token, device, shown: device.map { DeviceToken.shorten($0) })
        expected.add(.topic, topic)
        expected.add(.pushType, pushType?.rawValue)
        expected.add(.priority, priority.map { "\($0.rawValue)" })
        expected.add(.expiration, expiration.map { "\($0.secondsSince1970)" })
        expected.add(.collapseID, collapseID)
        expected.add(payload)
        return expected
    }

    /// Any broadcast, accepted or refused.
    ///
    /// - Parameters:
    ///   - channel: The channel id.
    ///   - app: The bundle id in the path.
    ///   - payload: What the payload has to contain. It may have more members; arrays are compared as a whole.
    public static func sentBroadcast(
        to channel: String? = nil, app: String? = nil, priority: Priority? = nil, expiration: Expiration? = nil,
        payload: PayloadValue? = nil
    ) -> ExpectedNotification {
        var expected = ExpectedNotification(.broadcast, "broadcast")
        expected.add(.channelID, channel)
        expected.add(.topic, app)
        expected.add(.priority, priority.map { "\($0.rawValue)" })
        expected.add(.expiration, expiration.map { "\($0.secondsSince1970)" })
        expected.add(payload)
        return expected
    }

    /// A broadcast that the gateway accepted, whether or not it has reached a device.
    public static func acceptedBroadcast(
        to channel: String? = nil, app: String? = nil, priority: Priority? = nil, expiration: Expiration? = nil,
        payload: PayloadValue? = nil
    ) -> ExpectedNotification {
        sentBroadcast(to: channel, app: app, priority: priority, expiration: expiration, payload: payload)
            .that(.outcome, NotificationQuery.Outcome.accepted.rawValue, "accepted")
    }

    /// A broadcast that the gateway refused.
    ///
    /// - Parameter reason: Nil for any reason.
    public static func refusedBroadcast(
        _ reason: Reason? = nil, to channel: String? = nil, app: String? = nil, payload: PayloadValue? = nil
    ) -> ExpectedNotification {
        var expected = sentBroadcast(to: channel, app: app, payload: payload)
            .that(.outcome, NotificationQuery.Outcome.refused.rawValue, "refused")
        expected.add(.reason, reason?.code)
        return expected
    }

    /// A broadcast that has reached at least one device.
    public static func deliveredBroadcast(
        to channel: String? = nil, app: String? = nil, priority: Priority? = nil, payload: PayloadValue? = nil
    ) -> ExpectedNotification {
        sentBroadcast(to: channel, app: app, priority: priority, payload: payload)
            .that(.life, LifeEntry.Stage.delivered.rawValue, "delivered")
    }

    /// A notification that the gateway accepted, whether or not it has reached the device.
    public static func accepted(
        to device: String? = nil, topic: String? = nil, pushType: PushType? = nil, priority: Priority? = nil,
        expiration: Expiration? = nil, collapseID: String? = nil, payload: PayloadValue? = nil
    ) -> ExpectedNotification {
        sent(
            to: device, topic: topic, pushType: pushType, priority: priority, expiration: expiration,
            collapseID: collapseID, payload: payload
        ).that(.outcome, NotificationQuery.Outcome.accepted.rawValue, "accepted")
    }

    /// A notification that the gateway refused.
    ///
    /// - Parameter reason: Nil for any reason.
    public static func refused(
        _ reason: Reason? = nil, to device: String? = nil, topic: String? = nil, pushType: PushType? = nil,
        payload: PayloadValue? = nil
    ) -> ExpectedNotification {
        var expected = sent(to: device, topic: topic, pushType: pushType, payload: payload)
            .that(.outcome, NotificationQuery.Outcome.refused.rawValue, "refused")
        expected.add(.reason, reason?.code)
        return expected
    }

    /// A notification that has reached its device.
    public static func delivered(
        to device: String? = nil, topic: String? = nil, pushType: PushType? = nil, priority: Priority? = nil,
        collapseID: String? = nil, payload: PayloadValue? = nil
    ) -> ExpectedNotification {
        sent(
            to: device, topic: topic, pushType: pushType, priority: priority, collapseID: collapseID, payload: payload
        ).that(.life, LifeEntry.Stage.delivered.rawValue, "delivered")
    }

    private func that(_ field: NotificationMatch.Field, _ text: String, _ word: String) -> ExpectedNotification {
        var expected = self
        expected.match[field] = .equals(text)
        expected.words[0] = "\(word) \(expected.words[0])"
        return expected
    }

    private mutating func add(_ field: NotificationMatch.Field, _ text: String?, shown: String? = nil) {
        guard let text else { return }
        match[field] = .equals(text)
        words.append("\(field.rawValue) \(shown ?? text)")
    }

    private mutating func add(_ payload: PayloadValue?) {
        guard let payload else { return }
        match.payload = PayloadMatch(payload)
        words.append("payload \(String(decoding: payload.encoded(), as: UTF8.self))")
    }

    /// Such as `accepted notification with apns-topic com.example.mail, apns-priority 5`.
    public var description: String {
        words.count == 1 ? words[0] : "\(words[0]) with \(words.dropFirst().joined(separator: ", "))"
    }
}
