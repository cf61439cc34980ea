extension Rule {
    public static let envelopeRepeatedKey = Rule(
        id: "envelope-repeated-key", severity: .warning, layer: .gateway, stage: .headers,
        summary: "An envelope has each key once.",
        rationale: """
            Of a repeated key the last counts here, and other readers may take the first. On the wire a header that comes \
            twice is refused with DuplicateHeaders.
            """,
        source: RuleSource.envelope,
        passes: [Example(file: #"{"apns-priority":5,"apns-push-type":"background","payload":{}}"#)],
        fails: [
            Example(file: #"{"apns-priority":5,"apns-priority":10,"payload":{}}"#),
            Example(file: #"{"payload":{"aps":{}},"payload":{}}"#),
        ]
    ) { notification, findings in
        for problem in notification.envelope.problems where problem.kind == .repeatedKey {
            findings.report("the envelope has \(problem.key) more than once; leave one", at: .header(problem.key))
        }
    }
}
