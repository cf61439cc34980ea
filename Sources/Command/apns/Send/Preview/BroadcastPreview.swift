import APNSModel
import APNSPayload
import APNSProvider
import PayloadJSON

/// One broadcast as it would be sent, with what a check finds in it.
struct BroadcastPreview: Hashable, Sendable {
    var broadcast: APNSBroadcast
    var gateway: APNSGateway
    var findings: [Finding]

    /// APNs allows broadcasts a larger payload than notifications of a Live Activity (docs/reference/apns.md 7.3).
    private static let maximumPayloadBytes = 5120

    var hasError: Bool { findings.contains { $0.severity == .error } }

    /// Request line, header fields and body. The provider token is not shown.
    ///
    /// - Parameter authorization: What stands for the value of `authorization`; nil for a sender with a certificate.
    func text(authorization: String?) -> String {
        var lines = ["POST \(gateway)/4/broadcasts/apps/\(PlainText.safe(broadcast.app.bundleID))"]
        if let authorization { lines.append("  authorization: \(authorization)") }
        var fields = [
            ("apns-channel-id", broadcast.channelID.base64), ("apns-push-type", broadcast.pushType.rawValue),
            ("apns-priority", "\(broadcast.priority.rawValue)"),
            ("apns-expiration", "\(broadcast.expiration.secondsSince1970)"),
        ]
        if let id = broadcast.id { fields.append(("apns-request-id", id.text)) }
        for (name, value) in fields {
            lines.append("  \(name): \(PlainText.safe(value))\(NotificationPreview.meaning(name, value))")
        }
        lines.append("")
        lines += NotificationPreview.lines(of: broadcast.payload)
        lines.append("  \(broadcast.payload.count) of at most \(BroadcastPreview.maximumPayloadBytes) bytes")
        return lines.joined(separator: "\n")
    }

    /// One JSON object: an envelope that `--batch` reads, with `gateway`, `bytes` and `findings`.
    var json: String {
        var members = [
            #""apns-channel-id":\#(JSONWriter.quoted(broadcast.channelID.base64))"#,
            #""apns-topic":\#(JSONWriter.quoted(broadcast.app.value))"#,
            #""apns-push-type":\#(JSONWriter.quoted(broadcast.pushType.rawValue))"#,
            #""apns-priority":\#(broadcast.priority.rawValue)"#,
            #""apns-expiration":\#(broadcast.expiration.secondsSince1970)"#,
        ]
        if let id = broadcast.id { members.append(#""apns-id":\#(JSONWriter.quoted(id.text))"#) }
        members += NotificationPreview.members(broadcast.payload, gateway, findings)
        return "{\(members.joined(separator: ","))}"
    }
}
