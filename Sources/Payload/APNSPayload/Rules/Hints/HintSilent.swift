import PayloadJSON

extension Rule {
    public static let hintSilent = Rule(
        id: "hint-silent", severity: .warning, layer: .style, looksAt: [.type],
        summary: "A hint is silent; what people should see is a push of its own.",
        rationale: """
            With an alert the app's code runs in other places, or not before somebody taps, and the user learns of every \
            change in the data. Send a visible push with its own type for that.
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
        notification.hint?.check(.visibility, in: notification, &findings)
    }
}
