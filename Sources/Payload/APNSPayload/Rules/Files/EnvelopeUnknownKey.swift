extension Rule {
    public static let envelopeUnknownKey = Rule(
        id: "envelope-unknown-key", severity: .warning, layer: .delivery, stage: .headers,
        summary: "A key of an envelope that looks like a header is the name of a header, in lower case.",
        rationale: """
            An envelope uses the names of the HTTP headers, such as `apns-push-type`. A key with another spelling is \
            not sent, so the notification goes out without the header. Comments and other keys of your own are \
            allowed.
            """,
        source: RuleSource.envelope,
        passes: [
            Example(file: #"{"apns-topic":"com.example.agent","apns-push-type":"alert","note":"x","payload":{}}"#),
            Example(file: #"{"aps":{"alert":"Hi"},"topic":"custom"}"#),
        ],
        fails: [
            Example(file: #"{"apns-topic":"com.example.agent","push-type":"alert","payload":{}}"#),
            Example(file: #"{"APNs-Topic":"com.example.agent","apns-push-type":"alert","payload":{}}"#),
            Example(file: #"{"apns-colapse-id":"x","payload":{}}"#),
            Example(file: #"{"deviceToken":"ab12","payload":{}}"#),
        ]
    ) { notification, findings in
        for problem in notification.envelope.problems {
            guard case .unknownKey(let meant) = problem.kind else { continue }
            let advice =
                meant.map { "did you mean \($0)?" }
                ?? "headers are \(EnvelopeKey.allCases.map(\.name).joined(separator: ", "))"
            findings.report(
                "the key \(notification.shown(text: problem.key)) is not a header, so it is not sent; \(advice)",
                at: .header(problem.key))
        }
    }
}
