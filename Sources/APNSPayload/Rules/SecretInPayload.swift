import APNSModel
import PayloadJSON

extension Rule {
    public static let secretInPayload = Rule(
        id: "secret-in-payload", severity: .note, layer: .style, looksAt: .customInRoot,
        summary: "A payload has no secrets in clear.",
        rationale: """
            A payload passes through a third party and may stay on the lock screen. Send what the app needs to fetch the \
            rest, or encrypt it for a service extension. Only the names of the app's own keys are looked at, which tells \
            little, so this is a note.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi"},"order":"4711"}"#), Example(#"{"aps":{"alert":"Hi"},"password":null}"#),
            Example(#"{"aps":{"alert":"Hi"},"password":true}"#),
        ],
        fails: [
            Example(#"{"aps":{"alert":"Your code"},"password":"hunter2"}"#),
            Example(#"{"aps":{"content-available":1},"access_token":"0f9c"}"#),
            Example(#"{"call":"7","creditCardNumber":"4111111111111111"}"#, .voip),
        ]
    ) { notification, findings in
        for member in notification.document.members(of: .root) {
            guard notification.document.kind(of: member.value) == .string,
                InspectedNotification.secretLengths.contains(notification.document.range(of: member.key).count - 2),
                let name = notification.document.string(of: member.key),
                InspectedNotification.secrets.contains(KnownSpelling.fold(name))
            else { continue }
            findings.report(
                "\(name) looks like a secret; a payload travels in clear, so send something to fetch it with",
                at: notification.place(ofKeyOf: member.value))
        }
    }
}

extension InspectedNotification {
    fileprivate static let secrets: Set<[UInt8]> = Set(
        [
            "password", "passwd", "passphrase", "secret", "client-secret", "private-key", "secret-key", "api-key",
            "access-token", "refresh-token", "credit-card", "credit-card-number", "card-number", "cvv", "cvc", "ssn",
            "social-security-number",
        ].map(KnownSpelling.fold))

    /// How many characters such names have, with room for hyphens.
    fileprivate static let secretLengths = 3...24
}
