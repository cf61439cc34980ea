import APNSModel

extension Rule {
    public static let payloadFitsVoIPOnly = Rule(
        id: "payload-fits-voip-only", severity: .warning, layer: .gateway, stage: .headers,
        summary: "A payload whose push type is unknown has at most 4096 bytes.",
        rationale: """
            Of all push types only voip takes between 4097 and 5120 bytes, and so does a broadcast. Say which push type the \
            payload is for, in an envelope or by option, and the question is settled.
            """,
        source: RuleSource.generatingPayloads,
        passes: [Example(.payload(ofBytes: 4096)), Example(.payload(ofBytes: 4097), .voip)],
        fails: [Example(.payload(ofBytes: 4097)), Example(.payload(ofBytes: 5120))]
    ) { notification, findings in
        let count = notification.envelope.payload.count
        guard notification.maximumPayloadBytes == nil, count > PushType.alert.maximumPayloadBytes,
            count <= PushType.voip.maximumPayloadBytes
        else { return }
        findings.report(
            "the payload has \(count) bytes, which only a VoIP push or a broadcast may have; every other push takes "
                + "\(PushType.alert.maximumPayloadBytes)", at: .payload)
    }
}
