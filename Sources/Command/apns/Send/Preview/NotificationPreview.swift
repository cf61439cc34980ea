import APNSModel
import APNSPayload
import APNSProvider
import PayloadJSON

/// One notification as it would be sent, with what a check finds in it.
struct NotificationPreview: Hashable, Sendable {
    var notification: APNSNotification
    var gateway: APNSGateway
    var findings: [Finding]

    var hasError: Bool { findings.contains { $0.severity == .error } }

    private var payloadBytes: Int { notification.payload.count }

    /// Request line, header fields and body. The device token is shortened, and the provider token is not shown.
    ///
    /// - Parameter authorization: What stands for the value of `authorization`; nil for a sender with a certificate.
    func text(authorization: String?) -> String {
        var lines = ["POST \(gateway)\(RequestFields.path(of: PlainText.safe(notification.deviceToken.shortened)))"]
        if let authorization { lines.append("  authorization: \(authorization)") }
        for (name, value) in RequestFields.fields(of: notification, apnsID: notification.id?.text) {
            lines.append("  \(name): \(PlainText.safe(value))\(NotificationPreview.meaning(name, value))")
        }
        lines.append("")
        lines += NotificationPreview.lines(of: notification.payload)
        lines.append("  \(payloadBytes) of at most \(notification.pushType.maximumPayloadBytes) bytes")
        return lines.joined(separator: "\n")
    }

    /// A body as text.
    static func lines(of payload: [UInt8]) -> [String] {
        guard let text = String(validating: payload, as: UTF8.self) else { return ["  (a body that is not UTF-8)"] }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \(PlainText.safe($0))" }
    }

    static func meaning(_ name: String, _ value: String) -> String {
        guard name == "apns-expiration", let seconds = Int64(value) else { return "" }
        return seconds == 0 ? "  (one attempt, no storage)" : "  (\(UTCText.text(seconds)))"
    }

    /// One JSON object: an envelope that `--batch` reads, with `gateway`, `bytes` and `findings`. A payload that is not JSON
    /// in one line is `payload-base64`.
    var json: String {
        var members = [#""token":\#(JSONWriter.quoted(notification.deviceToken.hex))"#]
        for (name, value) in RequestFields.fields(of: notification, apnsID: notification.id?.text) {
            let isNumber = ["apns-priority", "apns-expiration"].contains(name)
            members.append("\"\(name)\":\(isNumber ? value : JSONWriter.quoted(value))")
        }
        members += NotificationPreview.members(notification.payload, gateway, findings)
        return "{\(members.joined(separator: ","))}"
    }

    /// The members about the payload, its size and what a check finds.
    static func members(_ payload: [UInt8], _ gateway: APNSGateway, _ findings: [Finding]) -> [String] {
        let isLine = !payload.contains { $0 == 0x0a || $0 == 0x0d } && (try? JSONDocument(payload)) != nil
        let text = isLine ? String(validating: payload, as: UTF8.self) : nil
        return [
            text.map { "\"payload\":\($0)" }
                ?? "\"payload-base64\":\"\(String(decoding: Base64.encode(payload), as: UTF8.self))\"",
            "\"gateway\":\(JSONWriter.quoted("\(gateway)"))", "\"bytes\":\(payload.count)",
            "\"findings\":[\(findings.map(findingJSON).joined(separator: ","))]",
        ]
    }

    private static func findingJSON(_ finding: Finding) -> String {
        // Into the object that is printed, where the headers are beside the payload.
        let isHeader = if case .header = finding.place { true } else { false }
        let pointer = finding.pointer.map { JSONWriter.quoted(isHeader ? "/\($0)" : $0) } ?? "null"
        return """
            {"rule":\(JSONWriter.quoted(finding.rule)),"severity":"\(finding.severity.rawValue)","pointer":\(pointer),\
            "message":\(JSONWriter.quoted(finding.message))}
            """
    }
}
