import PayloadJSON

extension Rule {
    public static let hintSilent = Rule(
        id: "hint-silent", severity: .warning, layer: .style, looksAt: .hint, reads: [.alert, .badge, .sound],
        summary: "A hint is silent; a visible push is a separate one.",
        rationale: """
            With an alert the app's code runs elsewhere, or not until the user taps, and the user sees every change of \
            data. Send a separate visible push with another type.
            """,
        source: RuleSource.hintContract,
        passes: [
            Example(#"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG"}"#),
            Example(#"{"aps":{"alert":"Hi"},"type":"TEST","message":"Hello"}"#),
        ],
        fails: [
            Example(
                #"{"aps":{"content-available":1,"alert":"Hi"},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG"}"#
            )
        ]
    ) { notification, findings in
        guard !notification.isSilent else { return }
        notification.checkHint(.visibility, &findings)
    }
}
