import APNSModel
import PayloadJSON

extension Rule {
    public static let secretInPayload = Rule(
        id: "secret-in-payload", severity: .note, layer: .style, looksAt: .suspiciousInRoot,
        summary: "A payload contains no unencrypted secrets.",
        rationale: """
            A payload passes through a third party and may stay on the lock screen. Send what the app needs to fetch \
            the rest, or encrypt it for a service extension. Only the names of the app's own keys are checked, so this \
            is only a note.
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
            guard notification.document.find(member.key, in: secretTable) != nil,
                notification.document.kind(of: member.value) == .string,
                let name = notification.document.string(of: member.key)
            else { continue }
            findings.report(
                "\(name) looks like a secret; a payload is not encrypted, so send a reference to fetch it with",
                at: notification.place(ofKeyOf: member.value))
        }
    }

    private static let secretTable = JSONKeyTable(secretNames.map { (name: $0, id: 0) })

    static let secretNames: [String] = {
        let words = [
            "password", "passwd", "passphrase", "secret", "client secret", "private key", "secret key", "api key",
            "access token", "refresh token", "credit card", "credit card number", "card number", "cvv", "cvc", "ssn",
        ]
        return words.flatMap { word in
            let parts = word.split(separator: " ").map(String.init)
            let camel = parts[0] + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            return Set([camel, parts.joined(separator: "_"), parts.joined(separator: "-")])
        }
    }()
}
