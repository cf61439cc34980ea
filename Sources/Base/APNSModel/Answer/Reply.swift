/// What APNs answered to one notification.
public enum Reply: Hashable, Sendable {
    /// Accepted for delivery, which is no promise that it arrives.
    ///
    /// - Parameters:
    ///   - apnsID: The id sent with the notification, or one that the gateway made.
    ///   - uniqueID: `apns-unique-id`, the key of the delivery log; only sandbox sends it.
    case accepted(apnsID: String, uniqueID: String?)
    case refused(Refusal)

    public var isAccepted: Bool {
        if case .accepted = self { true } else { false }
    }

    /// Why APNs said no; nil when it accepted.
    public var reason: Reason? {
        if case .refused(let refusal) = self { refusal.reason } else { nil }
    }

    /// The `apns-id` of the answer; nil where a refusal came without one.
    public var apnsID: String? {
        switch self {
        case .accepted(let apnsID, _): apnsID
        case .refused(let refusal): refusal.apnsID
        }
    }

    public var status: Int {
        switch self {
        case .accepted: 200
        case .refused(let refusal): refusal.reason.status
        }
    }
}

/// The answer that carries a reason.
public struct Refusal: Hashable, Sendable {
    public var reason: Reason
    public var apnsID: String?
    /// Only with status 410: milliseconds since 1970, the last moment at which APNs knew the device token to be invalid
    /// for the topic. Drop the device token only if the app has not reported the same one after that moment.
    public var timestamp: Int64?

    public init(_ reason: Reason, apnsID: String?, timestamp: Int64? = nil) {
        self.reason = reason
        self.apnsID = apnsID
        self.timestamp = timestamp
    }
}
