import APNSModel
import APNSPayload
import APNSProvider

/// The notification of a line that a gateway recorded, to be sent as it was: what is malformed stays so, and nothing is
/// put in for what it left out.
struct RecordedNotification: Hashable, Sendable {
    /// What of it can be told, also where it cannot be sent.
    let notification: APNSNotification
    /// Why it cannot be sent as it was; nil where it can.
    let obstacle: SendError?

    /// - Parameter payloadBytes: How many bytes were sent. Those that the record has not are filled in with spaces, so that
    ///   the size, which is what they were refused for, is the same.
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
                "it is a broadcast, and this command sends to devices"
            } else if case .some(.none) = priority {
                "its apns-priority is no number"
            } else if case .some(.none) = expiration {
                "its apns-expiration is no number"
            } else if !notification.deviceToken.hex.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) {
                "its device token has characters that no path can carry"
            } else if !texts.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }) {
                "a header has control characters, which none can carry"
            } else if isTooLarge {
                "its body had \(payloadBytes) bytes, and at most \(SendPlan.maximumPayloadFileBytes) are sent"
            } else {
                nil
            }
        obstacle = why.map {
            SendError(.invalidNotification, "it cannot be sent as it is recorded: \($0)", isSafeToRetry: true)
        }
    }
}
