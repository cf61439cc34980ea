extension Rule {
    public static let envelopeUnknownKey = Rule(
        id: "envelope-unknown-key", severity: .warning, layer: .delivery, stage: .headers,
        summary: "A key of an envelope that looks like a header is one, in lower case.",
        rationale: """
            An envelope has the names of the headers on the wire, such as `apns-push-type`. A key that is spelt otherwise is not \
            sent, and the notification goes out without the header. Remarks and other keys of your own are no matter.
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
                "the envelope's key \(notification.shown(text: problem.key)) is no header and is not sent; \(advice)",
                at: .header(problem.key))
        }
    }
}
