import APNSModel
import PayloadJSON

extension Rule {
    public static let walletContent = Rule(
        id: "wallet-content", severity: .note, layer: .style, looksAt: rootKeys, reads: [],
        summary: "The payload of a Wallet pass update is `{}`.",
        rationale: """
            The push only informs the device that a pass of this type has changed; the device then asks the server. \
            The content of the payload is ignored.
            """,
        source: RuleSource.wallet,
        passes: [
            Example("{}", topic: "pass.com.example.ticket"), Example(#"{"aps":{"alert":"Hi"}}"#, .alert),
        ],
        fails: [
            Example(#"{"aps":{"alert":"Hi"}}"#, topic: "pass.com.example.ticket"),
            Example(#"{"pass":"4711"}"#, topic: "pass.com.example.ticket"),
        ]
    ) { notification, findings in
        guard notification.isForPass else { return }
        for member in notification.document.members(of: .root) {
            findings.report(
                "the payload has keys, which the device ignores in a pass update; send {}",
                at: notification.place(ofKeyOf: member.value))
            return
        }
    }

    private static let rootKeys = KeySet(PayloadKey.all(in: .root).map(\.key), .customInRoot)
}
