import APNSModel

extension Rule {
    public static let payloadFitsVoIPOnly = Rule(
        id: "payload-fits-voip-only", severity: .warning, layer: .gateway, stage: .headers,
        summary: "A payload of unknown push type has at most 4096 bytes.",
        rationale: """
            Only a VoIP push or a broadcast may have 4097 to 5120 bytes. Give the push type in an envelope or by \
            option to check the payload against its own limit.
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
            "the payload has \(count) bytes, which only a VoIP push or a broadcast may have; every other push may have "
                + "\(PushType.alert.maximumPayloadBytes)", at: .payload)
    }
}
