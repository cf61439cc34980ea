import PayloadJSON

extension Rule {
    public static let hintType = Rule(
        id: "hint-type", severity: .warning, layer: .device, looksAt: [.type],
        summary: "The `type` of a hint is spelt as the app knows it, in capitals.",
        rationale: """
            The app compares it letter for letter and ignores a push whose type it does not know, so a small mistake in it \
            looks as if no push had come.
            """,
        source: RuleSource.hintContract,
        passes: [
            Example(#"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG"}"#),
            Example(#"{"aps":{"content-available":1},"type":"ORDER_UPDATE"}"#),
            Example(#"{"aps":{"alert":"Hi"},"type":"interaction"}"#), Example(#"{"aps":{},"type":7}"#),
        ],
        fails: [
            Example(
                #"{"aps":{"content-available":1},"type":"account_update","accountId":"001xx000003DGb2AAG"}"#),
            Example(#"{"aps":{"content-available":1},"type":"INTERACTIONS","recordIds":["0xIxx0000000001EAA"]}"#),
        ]
    ) { notification, findings in
        // Other apps may have a type of nearly the same name; only with the ids it surely is a hint.
        guard notification.has([.accountId, .recordIds]), notification.hintKind == nil else { return }
        ApplicationContract.checkMatch(
            [notification[.recordIds] == nil ? .accountUpdate : .interaction], in: notification, &findings)
    }
}
