import APNSModel
import APNSPayload
import APNSProvider

/// A notification that a gateway recorded, to be sent unchanged: malformed headers stay malformed, and absent ones stay
/// absent.
struct RecordedNotification: Hashable, Sendable {
    /// The notification as far as it can be represented, for reports too.
    let notification: APNSNotification
    /// Why it cannot be sent unchanged; nil where it can.
    let obstacle: APNSSendError?

    /// - Parameter payloadBytes: The size of the body that was sent. A record does not keep all bytes of a body that was
    ///   refused for its size, so the payload is padded with spaces to that size.
    init(_ envelope: Envelope, payloadBytes: Int) {
        let priority = envelope.priority.map { Int($0) }
        let expiration = envelope.expiration.map { Int64($0) }
        var payload = envelope.payload
        let isTooLarge = payloadBytes > SendPlan.maximumPayloadFileBytes
        if !isTooLarge { payload += repeatElement(UInt8(ascii: " "), count: max(0, payloadBytes - payload.count)) }
        notification = APNSNotification(
            to: DeviceToken(recorded: envelope.token ?? ""), topic: Topic(recorded: envelope.topic ?? ""),
            pushType: PushType(rawValue: envelope.pushType ?? ""),
            priority: priority.flatMap(\.self).map { Priority(recorded: $0) },
            expiration: expiration.flatMap(\.self).map { Expiration(recorded: $0) },
            collapseID: envelope.collapseID.map { CollapseID(recorded: $0) },
            id: envelope.apnsID.flatMap { NotificationID($0) }, payload: payload)
        let texts = [envelope.topic, envelope.pushType, envelope.collapseID].compactMap(\.self)
        let why: String? =
            if envelope.isBroadcast {
                "it is a broadcast, and recorded broadcasts are not sent again"
            } else if case .some(.none) = priority {
                "its apns-priority is not a number"
            } else if case .some(.none) = expiration {
                "its apns-expiration is not a number"
            } else if !notification.deviceToken.hex.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) {
                "its device token has characters that a path cannot have"
            } else if !texts.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }) {
                "a header has control characters, which HTTP does not allow"
            } else if isTooLarge {
                "its body had \(payloadBytes) bytes, and at most \(SendPlan.maximumPayloadFileBytes) are sent"
            } else {
                nil
            }
        obstacle = why.map {
            APNSSendError(.invalidNotification, "it cannot be sent as recorded: \($0)", isSafeToRetry: true)
        }
    }
}
