import PayloadJSON

extension Rule {
    public static let hintRecord = Rule(
        id: "hint-record", severity: .warning, layer: .device, looksAt: .hintWrongRecord,
        summary: "A hint names the changed records beside `aps`, with complete ids.",
        rationale: """
            ACCOUNT_UPDATE has `accountId`, and INTERACTION has an array `recordIds`. An id has 15 or 18 digits and \
            letters. The app ignores a hint without ids, and ignores ids that are not valid.
            """,
        source: RuleSource.hintContract,
        passes: [
            Example(#"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG"}"#),
            Example(#"{"aps":{"content-available":1},"type":"INTERACTION","recordIds":["0xIxx0000000001EAA"]}"#),
            Example(#"{"aps":{"content-available":1},"type":"ORDER_UPDATE"}"#), Example(#"{"aps":{"alert":"Hi"}}"#),
        ],
        fails: [
            Example(#"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE"}"#),
            Example(#"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001"}"#),
            Example(#"{"aps":{"content-available":1},"type":"INTERACTION","recordIds":"0xIxx0000000001EAA"}"#),
            Example(#"{"aps":{"content-available":1},"type":"INTERACTION","recordIds":[]}"#),
            Example(#"{"aps":{"content-available":1},"type":"INTERACTION","recordIds":["0xIxx0000000001EAA",7]}"#),
        ]
    ) { notification, findings in
        guard let kind = notification.hintKind else { return }
        let aspects: ContractAspect = [.missingKey, .keyType, .format, .range]
        switch kind {
        case .accountUpdate:
            ApplicationContract.accountUpdate.check(
                aspects, of: [ApplicationContract.accountID], in: notification, &findings)
        case .interaction:
            ApplicationContract.interaction.check(
                aspects, of: [ApplicationContract.recordIDs], in: notification, &findings)
        }
    }
}
