import PayloadJSON

extension Rule {
    public static let hintRecord = Rule(
        id: "hint-record", severity: .warning, layer: .device, looksAt: [.type],
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
        // Nearly every hint is right, and this is sooner known than what is wrong with one.
        guard let kind = notification.hintKind, !notification.namesRecords(of: kind) else { return }
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

extension InspectedNotification {
    /// Whether a hint has the ids of its records, each with the form of one.
    fileprivate func namesRecords(of kind: HintPayload.Kind) -> Bool {
        switch kind {
        case .accountUpdate:
            guard let id = self[.accountId] else { return false }
            return RecordIDForm(id, of: document) != .none
        case .interaction:
            guard let ids = self[.recordIds], document.kind(of: ids) == .array else { return false }
            var count = 0
            for id in document.elements(of: ids) {
                guard RecordIDForm(id, of: document) != .none else { return false }
                count += 1
            }
            return count > 0
        }
    }
}
