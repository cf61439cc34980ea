extension Rule {
    public static let envelopeRepeatedKey = Rule(
        id: "envelope-repeated-key", severity: .warning, layer: .gateway, stage: .headers,
        summary: "An envelope contains each key once.",
        rationale: """
            This package uses the last value of a repeated key, and other tools may use the first. APNs answers \
            DuplicateHeaders to a request that has a header twice.
            """,
        source: RuleSource.envelope,
        passes: [Example(file: #"{"apns-priority":5,"apns-push-type":"background","payload":{}}"#)],
        fails: [
            Example(file: #"{"apns-priority":5,"apns-priority":10,"payload":{}}"#),
            Example(file: #"{"payload":{"aps":{}},"payload":{}}"#),
        ]
    ) { notification, findings in
        for problem in notification.envelope.problems where problem.kind == .repeatedKey {
            findings.report("the envelope has \(problem.key) more than once; keep one", at: .header(problem.key))
        }
    }
}
