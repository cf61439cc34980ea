/// The answer of APNs to one notification.
public enum Reply: Hashable, Sendable {
    /// Accepted for delivery, which does not promise that it arrives.
    ///
    /// - Parameters:
    ///   - apnsID: The id of the notification, or one that APNs made. The id that was sent where the answer has none that
    ///     is a UUID.
    ///   - uniqueID: `apns-unique-id`, the key of the delivery log. Only the sandbox sends it.
    case accepted(apnsID: NotificationID, uniqueID: String?)
    indirect case refused(Refusal)

    public var isAccepted: Bool {
        if case .accepted = self { true } else { false }
    }

    /// The reason of a refusal; nil when APNs accepted the notification.
    public var reason: Reason? {
        if case .refused(let refusal) = self { refusal.reason } else { nil }
    }

    /// The `apns-id` of the answer; nil for a refusal without one.
    public var apnsID: NotificationID? {
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

extension Reply: CustomStringConvertible {
    /// `accepted, apns-id ID` or `refused, REASON (STATUS), apns-id ID`.
    public var description: String {
        let id = apnsID.map { ", apns-id \($0)" } ?? ""
        return reason.map { "refused, \($0)\(id)" } ?? "accepted\(id)"
    }
}

/// An answer with a reason.
public struct Refusal: Hashable, Sendable {
    public var reason: Reason
    public var apnsID: NotificationID?
    /// Only with status 410: the last time at which APNs found the device token invalid for the topic, in milliseconds since
    /// 1970. Drop the device token only if the app has not reported the same one after that time.
    public var timestamp: Int64?
    /// How long to wait before the next attempt, from the header `retry-after`; nil when the answer does not have it, or has a
    /// date there instead of seconds.
    public var retryAfter: Duration?

    public init(
        _ reason: Reason, apnsID: NotificationID?, timestamp: Int64? = nil, retryAfter: Duration? = nil
    ) {
        self.reason = reason
        self.apnsID = apnsID
        self.timestamp = timestamp
        self.retryAfter = retryAfter
    }
}
