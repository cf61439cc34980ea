import APNSModel

extension Rule {
    public static let payloadTooLarge = Rule(
        id: "payload-too-large", severity: .error, layer: .gateway, refusal: .payloadTooLarge, stage: .headers,
        summary: "A payload has at most 4096 bytes, and 5120 for a VoIP push or a broadcast.",
        rationale: """
            APNs counts the bytes of the body as sent, including white space, in UTF-8. A payload of exactly the limit \
            is accepted. Another rule reports 4097 to 5120 bytes where the limit depends on a push type that is not stated.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(.payload(ofBytes: 4096), .alert), Example(.payload(ofBytes: 5120), .voip),
            Example(.payload(ofBytes: 5120), topic: "com.example.agent.voip"), Example(.payload(ofBytes: 5120)),
            Example(
                .payload(ofBytes: 5120), .liveactivity, priority: 5, expiration: 0, channelID: "dHN0LXNyY2gtY2hubA=="),
        ],
        fails: [
            Example(.payload(ofBytes: 4097), .alert), Example(.payload(ofBytes: 4097), .background, priority: 5),
            Example(.payload(ofBytes: 5121), .voip), Example(.payload(ofBytes: 4097), topic: "com.example.agent"),
            Example(.payload(ofBytes: 5121)), Example(.payload(ofBytes: 4097), .liveactivity, token: "ab12"),
            Example(.payload(ofBytes: 4097), kind: .apns),
        ]
    ) { notification, findings in
        let count = notification.envelope.payload.count
        guard let limit = notification.maximumPayloadBytes else {
            guard count > PushType.voip.maximumPayloadBytes else { return }
            return notification.reportSizeOfUnknownPushType(&findings)
        }
        guard count > limit else { return }
        let subject =
            if notification.envelope.isBroadcast { "a broadcast" } else {
                notification.pushType.map { "push type \($0)" } ?? "this notification"
            }
        let over = count - limit
        let size = PayloadSize(of: notification.envelope.payload, limit: limit)
        findings.report(
            "the payload has \(count) bytes; \(subject) may have \(limit), so it is \(over) byte\(over == 1 ? "" : "s") over"
                + size.summary, at: .payload)
    }
}

extension InspectedNotification {
    /// The limit in bytes; nil if it depends on a push type that is not stated.
    var maximumPayloadBytes: Int? { envelope.maximumPayloadBytes }
}

extension PayloadSize {
    /// The largest parts, to append to a message; empty if there are none.
    var summary: String {
        var parts = largestParts.prefix(3).map { "\(PayloadSize.shortened($0.name)) \($0.bytes)" }
        if whiteSpaceBytes > 0 { parts.append("white space \(whiteSpaceBytes)") }
        if escapeBytes > 0 { parts.append("escapes that UTF-8 does not need \(escapeBytes)") }
        return parts.isEmpty ? "" : "; largest parts: \(parts.joined(separator: ", "))"
    }

    /// A key can be as long as the payload.
    private static func shortened(_ name: String) -> String {
        name.unicodeScalars.count > 48 ? String(String.UnicodeScalarView(name.unicodeScalars.prefix(47))) + "…" : name
    }
}

extension String {
    /// A valid payload of exactly `count` bytes; at least 11.
    static func payload(ofBytes count: Int) -> String {
        // Made from bytes: every start of the command makes these payloads, and `String(repeating:count:)` is slow.
        #"{"data":""# + String(decoding: [UInt8](repeating: 0x78, count: count - 11), as: UTF8.self) + #""}"#
    }
}
