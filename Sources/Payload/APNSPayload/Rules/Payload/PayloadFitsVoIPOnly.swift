import APNSModel

extension Rule {
    public static let payloadFitsVoIPOnly = Rule(
        id: "payload-fits-voip-only", severity: .error, layer: .gateway, refusal: .payloadTooLarge, stage: .headers,
        pushTypes: .absent,
        summary: "A payload of unknown push type has at most 4096 bytes.",
        rationale: """
            4096 bytes are the limit of every push but a VoIP push and a broadcast, which may have 5120. Name the push \
            type, in an envelope, in the configuration or with `--push-type voip`, to check a payload against that limit. \
            A topic with the suffix `.voip` does not state it.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(.payload(ofBytes: 4096)), Example(.payload(ofBytes: 4097), .voip),
            Example(.payload(ofBytes: 4096), topic: "com.example.agent.voip"),
            Example(.payload(ofBytes: 4097), .voip, topic: "com.example.agent.voip"),
        ],
        fails: [
            Example(.payload(ofBytes: 4097)), Example(.payload(ofBytes: 5120)),
            Example(.payload(ofBytes: 4308), topic: "com.example.agent.voip"),
        ]
    ) { notification, findings in
        let count = notification.envelope.payload.count
        guard notification.maximumPayloadBytes == nil, count > PushType.alert.maximumPayloadBytes,
            count <= PushType.voip.maximumPayloadBytes
        else { return }
        notification.reportSizeOfUnknownPushType(&findings)
    }
}

extension InspectedNotification {
    /// Reports a payload that only some push types may have, or none, where the push type is not stated.
    func reportSizeOfUnknownPushType(_ findings: inout Findings) {
        let (count, limit) = (envelope.payload.count, PushType.alert.maximumPayloadBytes)
        let over = count - limit
        findings.report(
            "the payload has \(count) bytes, and a push may have \(limit), so it is \(over) byte\(over == 1 ? "" : "s") over; "
                + "only push type voip or a broadcast may have \(PushType.voip.maximumPayloadBytes)"
                + PayloadSize(of: envelope.payload, limit: limit).summary, at: .payload)
    }
}
