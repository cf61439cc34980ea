extension Rule {
    public static let envelopeRepeatedKey = Rule(
        id: "envelope-repeated-key", severity: .warning, layer: .gateway, stage: .headers,
        summary: "An envelope contains each key once, and one payload; a simulator file names its app once.",
        rationale: """
            This package uses the last value of a repeated key, and other tools may use the first. APNs answers \
            DuplicateHeaders to a request that has a header twice. Of `payload` and `payload-base64` only the second is \
            sent; both are right only if they are the same payload, as in the record of a gateway.
            """,
        source: RuleSource.envelope,
        passes: [
            Example(file: #"{"apns-priority":5,"apns-push-type":"background","payload":{}}"#),
            Example(file: #"{"payload":{"aps":{"badge":1}},"payload-base64":"eyJhcHMiOiB7ImJhZGdlIjogMX19"}"#),
        ],
        fails: [
            Example(file: #"{"apns-priority":5,"apns-priority":10,"payload":{}}"#),
            Example(file: #"{"payload":{"aps":{}},"payload":{}}"#),
            Example(file: #"{"payload":{"aps":{"badge":2}},"payload-base64":"eyJhcHMiOiB7ImJhZGdlIjogMX19"}"#),
            Example(
                file: #"{"Simulator Target Bundle":"a.b","Simulator Target Bundle":"a.c","aps":{}}"#, named: "push.apns"
            ),
        ]
    ) { notification, findings in
        for problem in notification.envelope.problems where problem.kind == .repeatedKey {
            let file = notification.envelope.kind == .apns ? "the file" : "the envelope"
            findings.report("\(file) has \(problem.key) more than once; keep one", at: .header(problem.key))
        }
        for problem in notification.envelope.problems where problem.kind == .otherPayload {
            findings.report(
                "the envelope has payload-base64 as well, with another payload, and only that is sent; remove one of them",
                at: .header(problem.key))
        }
    }
}
