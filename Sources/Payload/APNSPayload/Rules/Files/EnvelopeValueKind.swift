extension Rule {
    public static let envelopeValueKind = Rule(
        id: "envelope-value-kind", severity: .error, layer: .gateway, stage: .headers,
        summary: "The value of a header is a string; priority, expiration and collapse id can be numbers.",
        rationale: """
            A header is text, so it cannot be an array, an object or a Boolean. A number would lose leading zeros, \
            which a device token can have. A null counts as a missing header.
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
