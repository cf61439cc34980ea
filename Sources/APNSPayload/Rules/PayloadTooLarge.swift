import APNSModel

extension Rule {
    public static let payloadTooLarge = Rule(
        id: "payload-too-large", severity: .error, layer: .gateway, refusal: .payloadTooLarge, stage: .headers,
        summary: "A payload has at most 4096 bytes, and 5120 for a VoIP push.",
        rationale: """
            APNs counts the bytes of the body as sent: white space and the UTF-8 of every character. Exactly the limit is \
            accepted. While the push type is unknown, only what no push type takes is an error.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(.payload(ofBytes: 4096), .alert), Example(.payload(ofBytes: 5120), .voip),
            Example(.payload(ofBytes: 5120), topic: "com.example.agent.voip"), Example(.payload(ofBytes: 5120)),
        ],
        fails: [
            Example(.payload(ofBytes: 4097), .alert), Example(.payload(ofBytes: 4097), .background, priority: 5),
            Example(.payload(ofBytes: 5121), .voip), Example(.payload(ofBytes: 4097), topic: "com.example.agent"),
            Example(.payload(ofBytes: 5121)),
        ]
    ) { notification, findings in
        let count = notification.envelope.payload.count
        let limit = notification.maximumPayloadBytes ?? PushType.voip.maximumPayloadBytes
        guard count > limit else { return }
        let taker = notification.pushType.map { "push type \($0)" } ?? "this notification"
        let over = count - limit
        findings.report(
            "the payload has \(count) bytes; \(taker) takes \(limit), so it is \(over) \(over == 1 ? "byte" : "bytes") over",
            at: .payload)
    }
}

extension InspectedNotification {
    /// The limit in bytes; nil while too little is known about the notification to say.
    var maximumPayloadBytes: Int? {
        if let pushType { return pushType.maximumPayloadBytes }
        guard let topic = envelope.topic else {
            return envelope.kind == .apns ? PushType.alert.maximumPayloadBytes : nil
        }
        let isVoIP = topic.hasSuffix(PushType.voip.topicSuffix ?? ".voip")
        return (isVoIP ? PushType.voip : .alert).maximumPayloadBytes
    }
}

extension String {
    /// A legal payload of exactly so many bytes, at least 10.
    static func payload(ofBytes count: Int) -> String {
        #"{"data":""# + String(repeating: "x", count: count - 11) + #""}"#
    }
}
