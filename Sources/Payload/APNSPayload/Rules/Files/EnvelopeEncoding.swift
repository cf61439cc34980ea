extension Rule {
    public static let envelopeEncoding = Rule(
        id: "envelope-encoding", severity: .error, layer: .gateway, stage: .headers,
        summary: "The value of `payload-base64` in an envelope is a string in Base64.",
        rationale: """
            The key has the payload byte for byte, in the alphabet with `+` and `/` and with its padding (RFC 4648, section \
            4). What cannot be decoded cannot be sent, so nothing else of the payload is checked.
            """,
        source: RuleSource.envelope,
        passes: [
            Example(file: #"{"payload-base64":"eyJhcHMiOnsiYmFkZ2UiOjF9fQ=="}"#),
            Example(file: #"{"aps":{"badge":1},"payload-base64":"own"}"#),
        ],
        fails: [
            Example(file: #"{"payload-base64":"!!"}"#), Example(file: #"{"payload-base64":"eyJhcHMiOnt9fQ"}"#),
            Example(file: #"{"apns-push-type":"alert","payload":{"aps":{"badge":1}},"payload-base64":1}"#),
        ]
    ) { notification, findings in
        for problem in notification.envelope.problems where problem.kind == .notBase64 {
            findings.report(
                "payload-base64 is not a string in Base64 with its padding, so there is no payload to send; encode the bytes "
                    + "of the payload, or write it as JSON under payload", at: .header(problem.key))
        }
    }
}
