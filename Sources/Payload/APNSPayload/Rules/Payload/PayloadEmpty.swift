import APNSModel

extension Rule {
    public static let payloadEmpty = Rule(
        id: "payload-empty", severity: .error, layer: .gateway, refusal: .payloadEmpty, stage: .headers,
        summary: "A notification has a payload of at least one byte.",
        rationale: """
            APNs refuses a request without a body. An empty object, `{}`, is not empty: it is the payload of a Wallet \
            pass update.
            """,
        source: RuleSource.handlingResponses,
        passes: [Example("{}"), Example(#"{"aps":{"alert":"Hi"}}"#, .alert)],
        fails: [Example(""), Example("", .background, priority: 5)]
    ) { notification, findings in
        guard notification.envelope.payload.isEmpty else { return }
        findings.report("the payload is empty; the smallest payload that APNs accepts is {}", at: .payload)
    }
}
