public import APNSModel

extension Envelope {
    public init(_ notification: borrowing APNSNotification) {
        self.init(
            kind: .notification, token: notification.deviceToken.hex, topic: notification.topic.value,
            pushType: notification.pushType.rawValue, priority: notification.priority.map { Envelope.text(of: $0) },
            expiration: notification.expiration.map { $0.secondsSince1970 == 0 ? "0" : String($0.secondsSince1970) },
            collapseID: notification.collapseID?.value, apnsID: notification.id?.text, payload: notification.payload)
    }

    /// A broadcast; its topic is in the path of the request.
    public init(_ broadcast: borrowing APNSBroadcast) {
        self.init(
            kind: .notification, pushType: broadcast.pushType.rawValue,
            priority: Envelope.text(of: broadcast.priority), expiration: String(broadcast.expiration.secondsSince1970),
            apnsID: broadcast.id?.text, channelID: broadcast.channelID.base64, payload: broadcast.payload)
    }

    /// Constants, because formatting a number for every notification takes a measurable part of the sender's check.
    private static func text(of priority: Priority) -> String {
        switch priority {
        case .immediate: "10"
        case .powerConsiderate: "5"
        case .low: "1"
        default: String(priority.rawValue)
        }
    }

    static func pushType(_ text: String) -> PushType? {
        text.isEmpty || HeaderValue.problem(in: text) != nil ? nil : PushType(rawValue: text)
    }

    /// The notification to send. `defaults` has the values that the envelope does not have.
    ///
    /// - Throws: An error about the first header that is missing or not valid.
    public func notification(defaults: EnvelopeDefaults = EnvelopeDefaults()) throws(EnvelopeError) -> APNSNotification
    {
        let deviceToken = try value(
            token.map { DeviceToken.shorten($0) }, token.map { DeviceToken($0) }, defaults.deviceToken, "token",
            Envelope.wantedToken(token))
        let topic = try value(
            topic, topic.map { Topic($0) }, defaults.topic, "apns-topic",
            "a bundle id, with a suffix for some push types")
        let pushType = try value(
            pushType, pushType.map { Envelope.pushType($0) }, defaults.pushType, "apns-push-type",
            "a push type such as alert or background")
        return APNSNotification(
            to: deviceToken, topic: topic, pushType: pushType,
            priority: try optional(
                priority, priority.map { Int($0).flatMap(Priority.init(rawValue:)) }, defaults.priority,
                "apns-priority",
                "1, 5 or 10"),
            expiration: try optional(
                expiration, expiration.map { Int64($0).flatMap(Expiration.init(secondsSince1970:)) },
                defaults.expiration,
                "apns-expiration", "whole seconds since 1970, or 0"),
            collapseID: try optional(
                collapseID, collapseID.map { CollapseID($0) }, defaults.collapseID, "apns-collapse-id",
                "1 to \(CollapseID.maximumBytes) bytes without control characters, and no white space at its ends"),
            id: try optional(
                apnsID, apnsID.map { NotificationID($0) }, nil, "apns-id", "a UUID in the form 8-4-4-4-12"),
            payload: payload)
    }

    /// The form of a device token, with what a malformed one is where that is known.
    private static func wantedToken(_ text: String?) -> String {
        let form = "an even number of hexadecimal digits"
        guard let text, let problem = DeviceTokenProblem(text) else { return form }
        switch problem {
        case .empty, .character, .oddDigits: return "\(form); this one \(problem.description)"
        default: return "\(form); this one \(problem.description): \(problem.advice)"
        }
    }

    private func value<Value>(
        _ text: String?, _ read: Value??, _ fallback: Value?, _ key: String, _ wanted: @autoclosure () -> String
    ) throws(EnvelopeError) -> Value {
        guard let value = try optional(text, read, fallback, key, wanted()) else {
            throw EnvelopeError(key: key, problem: .absent(wanted: wanted()))
        }
        return value
    }

    private func optional<Value>(
        _ text: String?, _ read: Value??, _ fallback: Value?, _ key: String, _ wanted: @autoclosure () -> String
    ) throws(EnvelopeError) -> Value? {
        guard let text, let read else { return fallback }
        guard let read else {
            throw EnvelopeError(key: key, problem: wrongKind(of: key) ?? .unusable(text, wanted: wanted()))
        }
        return read
    }

    private func wrongKind(of key: String) -> EnvelopeError.Problem? {
        for problem in problems where problem.key == key {
            if case .wrongKind(let kind) = problem.kind { return .wrongKind(kind) }
        }
        return nil
    }
}
