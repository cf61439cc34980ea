import PayloadJSON

extension Rule {
    public static let hintRecord = Rule(
        id: "hint-record", severity: .warning, layer: .device, looksAt: [.type],
        summary: "A hint names the records that changed, beside `aps` and with whole ids.",
        rationale: """
            ACCOUNT_UPDATE carries `accountId`, INTERACTION an array `recordIds`. An id has 15 or 18 digits and letters. \
            The app ignores a hint without them, and of several ids those that are none.
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
        switch notification.hintType {
        case .accountUpdate: notification.checkAccount(&findings)
        case .interaction: notification.checkInteraction(&findings)
        case nil: return
        }
    }
}

extension InspectedNotification {
    /// The hint of the payload contract that the payload's `type` names.
    var hintType: HintPayload.Kind? {
        guard let type = self[.type] else { return nil }
        return HintPayload.Kind.allCases.first { document.string(of: type) == $0.rawValue }
    }

    fileprivate func checkAccount(_ findings: inout Findings) {
        guard let id = written(.accountId) else {
            findings.report("ACCOUNT_UPDATE has no accountId, so the app ignores it", at: place(ofMissingIn: .root))
            return
        }
        guard !isRecordID(id) else { return }
        findings.report(
            "accountId is \(shown(id)); it must be a string of 15 or 18 digits and letters", at: place(ofValue: id))
    }

    fileprivate func checkInteraction(_ findings: inout Findings) {
        guard let ids = written(.recordIds) else {
            findings.report("INTERACTION has no recordIds, so the app ignores it", at: place(ofMissingIn: .root))
            return
        }
        guard document.kind(of: ids) == .array else {
            findings.report(
                "recordIds is \(document.kind(of: ids).inWords); it must be an array of strings",
                at: place(ofValue: ids))
            return
        }
        var count = 0
        var firstBad: JSONIndex?
        var badCount = 0
        for id in document.elements(of: ids) {
            count += 1
            guard !isRecordID(id) else { continue }
            firstBad = firstBad ?? id
            badCount += 1
        }
        if let firstBad {
            findings.report(
                "\(badCount) of \(count) recordIds are not strings of 15 or 18 digits and letters; the first is "
                    + shown(firstBad), at: place(ofValue: firstBad))
        } else if count == 0 {
            findings.report("recordIds is empty, so the app has nothing to do", at: place(ofValue: ids))
        }
    }

    private func isRecordID(_ index: JSONIndex) -> Bool {
        document.string(of: index).map(HintPayload.isRecordID) ?? false
    }
}
