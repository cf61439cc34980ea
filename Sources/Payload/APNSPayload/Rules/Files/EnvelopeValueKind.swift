extension Rule {
    public static let envelopeValueKind = Rule(
        id: "envelope-value-kind", severity: .error, layer: .gateway, stage: .headers,
        summary: "The value of a header is a string; priority, expiration and collapse id may be numbers.",
        rationale: """
            A header is text. An array, an object or a Boolean is none, and a number loses leading zeros, which a device token \
            may have. A null is taken for a header that is not there.
            """,
        source: RuleSource.envelope,
        passes: [
            Example(file: #"{"token":"ab12","apns-priority":5,"apns-expiration":"0","apns-id":null,"payload":{}}"#)
        ],
        fails: [
            Example(file: #"{"apns-topic":["com.example.agent"],"payload":{}}"#),
            Example(file: #"{"token":1234,"payload":{}}"#), Example(file: #"{"apns-priority":true,"payload":{}}"#),
        ]
    ) { notification, findings in
        guard notification.envelope.kind == .envelope else { return }
        for problem in notification.envelope.problems {
            guard case .wrongKind(let kind) = problem.kind else { continue }
            findings.report("\(problem.key) is \(kind); it must be a string", at: .header(problem.key))
        }
    }
}
