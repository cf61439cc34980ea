import APNSModel
import APNSPayload

/// What APNs does with a notification (docs/reference/apns.md 2.2, 6.1, 6.9 and 7.1).
struct GatewayConduct {
    private let envelope: Envelope
    private let pushType: PushType?
    private let limit: Int
    private let refusals: [Reason]
    private let now: Int64

    /// - Parameters:
    ///   - refusals: What APNs may answer; empty if it accepts the notification.
    ///   - now: Seconds since 1970-01-01 UTC.
    init(_ envelope: Envelope, _ pushType: PushType?, limit: Int, refusals: [Reason], now: Int64) {
        (self.envelope, self.pushType, self.limit) = (envelope, pushType, limit)
        (self.refusals, self.now) = (refusals, now)
    }

    /// Of a notification that APNs refuses only why, and what it needs.
    var sentences: [String] {
        guard refusals.isEmpty else {
            return [refusal, size, topic, priorityFault, expirationFault].compactMap(\.self)
        }
        return [size, channel ?? topic, priority, storage, collapse, acceptance].compactMap(\.self)
    }

    /// APNs answers one reason. Which of several is not documented.
    private var refusal: String { "APNs refuses it: \(refusals.map(\.description).joined(separator: " or "))." }

    private var size: String? {
        let count = envelope.payload.count
        if count == 0 { return "The payload has no bytes." }
        guard count > limit else { return nil }
        return "The payload has \(count) bytes, \(count - limit) too many."
    }

    private var channel: String? {
        guard envelope.isBroadcast else { return nil }
        return "It goes to a channel, so to every device whose Live Activity subscribes to it."
    }

    private var topic: String? {
        guard !envelope.isBroadcast, let pushType, let suffix = pushType.topicSuffix else { return nil }
        if pushType == .mdm {
            return "The topic is the UID of the MDM push certificate, com.apple.mgmt.External. and a UUID."
        }
        guard let topic = envelope.topic else {
            return "The topic has to be the bundle id" + (suffix.isEmpty ? "." : " followed by \(suffix).")
        }
        guard suffix.isEmpty || topic.hasSuffix(suffix) else {
            return "The topic \(ShownText.quoted(topic)) does not end with \(suffix), as push type \(pushType) needs."
        }
        return nil
    }

    private var priorityFault: String? {
        switch (envelope.priority, pushType) {
        case ("10", .background): "Priority 10 is an error for a background push; it needs 5."
        case (nil, _), ("10", _), ("5", _), ("1", _): nil
        default: "APNs knows the priorities 10, 5 and 1."
        }
    }

    private var priority: String? {
        switch (envelope.priority, pushType) {
        case (nil, .background) where !envelope.hasKnownHeaders:
            "It needs the priority 5, with which APNs may group it with others, delay it or drop it for the power of the device."
        case (nil, .background):
            "Without apns-priority APNs takes 10, which is an error for a background push; it needs 5."
        case (nil, _) where envelope.isBroadcast:
            "It needs an apns-priority, because no default is documented for a broadcast."
        case (nil, _): "Without apns-priority APNs takes 10: it sends the notification at once."
        case ("10", .background): priorityFault
        case ("10", _): "Priority 10: APNs sends it at once."
        case ("5", _): "Priority 5: APNs may group it with others, delay it or drop it for the power of the device."
        case ("1", _): "Priority 1: power comes first, so it does not wake the device, and APNs may delay or drop it."
        default: priorityFault
        }
    }

    /// Nil where it is absent, and where it is not a date in seconds.
    private var expirationSeconds: Int64? {
        envelope.expiration.flatMap { Int64($0) }.flatMap { (0...99_999_999_999).contains($0) ? $0 : nil }
    }

    private var expirationFault: String? {
        guard envelope.expiration != nil, expirationSeconds == nil else { return nil }
        return "apns-expiration has to be whole seconds since 1970, or 0."
    }

    private var storage: String? {
        guard !envelope.isBroadcast else {
            return
                "A channel that stores nothing gives it only to the devices that are reachable, and takes no expiration but 0; "
                + "another one stores the most recent broadcast until its expiration."
        }
        let replaced = "It stores one notification for each app and device, so a newer one may replace it."
        switch envelope.expiration {
        case nil:
            return
                "Without apns-expiration APNs stores it for a device that is not reachable, for at most 30 days. \(replaced)"
        case "0"?: return "Expiration 0: one attempt; a device that is not reachable at this moment never gets it."
        case _?:
            guard let seconds = expirationSeconds else { return expirationFault }
            guard seconds > now else {
                return
                    "The expiration \(PayloadDate.text(seconds)) is past: one attempt, as with 0; a device that is not reachable "
                    + "at this moment never gets it."
            }
            return
                "APNs stores it for a device that is not reachable, until \(PayloadDate.text(seconds)) and for at most "
                + "30 days. \(replaced)"
        }
    }

    private var collapse: String? {
        guard let id = envelope.collapseID else { return nil }
        return "On the device it replaces an earlier notification with the collapse id \(ShownText.quoted(id))."
    }

    private var acceptance: String {
        "The answer 200 says that APNs took it, not that the device got it; APNs does not look at the keys of the payload."
    }
}
