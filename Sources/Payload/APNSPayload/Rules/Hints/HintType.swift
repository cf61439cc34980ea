import PayloadJSON

extension Rule {
    public static let hintType = Rule(
        id: "hint-type", severity: .warning, layer: .device, looksAt: .otherType, reads: [.accountId, .recordIds],
        summary: "The `type` of a hint is spelt exactly as the app knows it, in capitals.",
        rationale: """
            The app compares it exactly and ignores a push with an unknown type, so a typing error looks like a \
            missing push.
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
        // Another app may use a similar type, so only a payload with ids of records is certainly a hint.
        guard notification.has([.accountId, .recordIds]), notification.hintKind == nil else { return }
        ApplicationContract.checkMatch(
            [notification[.recordIds] == nil ? .accountUpdate : .interaction], in: notification, &findings)
    }
}
