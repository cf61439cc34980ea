import PayloadJSON

extension Rule {
    public static let hintRecordSuffix = Rule(
        id: "hint-record-suffix", severity: .warning, layer: .device, looksAt: .hintWrongRecord,
        summary: "The last three of the 18 characters of a record id match the first 15.",
        rationale: """
            They encode which of the first 15 characters are capitals, so that ids can be compared without regard to \
            case. If they do not match, a system has changed the case of letters, or the id is invented. The app \
            restores the case if it can.
            """,
        source: RuleSource.hintContract,
        passes: [
            Example(#"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG"}"#),
            Example(#"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2"}"#),
            Example(#"{"aps":{"content-available":1},"type":"INTERACTION","recordIds":["AbCdEfGhIjKlMnOVKV"]}"#),
        ],
        fails: [
            Example(#"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003dgb2aag"}"#),
            Example(
                #"{"aps":{"content-available":1},"type":"INTERACTION","recordIds":["0xIxx0000000001EAA","#
                    + #""0xIxx0000000002AAA"]}"#),
        ]
    ) { notification, findings in
        var wrong: [JSONIndex] = []
        switch notification.hintKind {
        case .accountUpdate:
            guard let id = notification[.accountId] else { return }
            if RecordIDForm(id, of: notification.document) == .wrongSuffix { wrong = [id] }
        case .interaction:
            guard let ids = notification[.recordIds] else { return }
            for id in notification.document.elements(of: ids)
            where RecordIDForm(id, of: notification.document) == .wrongSuffix {
                wrong.append(id)
            }
        case nil: return
        }
        guard let first = wrong.first else { return }
        let others = wrong.count > 1 ? " and \(wrong.count - 1) more" : ""
        findings.report(
            "\(notification.shown(first))\(others): the last three characters do not match the case of the others",
            at: notification.place(ofValue: first))
    }
}
