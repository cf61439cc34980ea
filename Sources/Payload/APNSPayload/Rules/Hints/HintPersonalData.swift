import PayloadJSON

extension Rule {
    public static let hintPersonalData = Rule(
        id: "hint-personal-data", severity: .warning, layer: .style, looksAt: .hintOtherKey,
        summary: "A hint contains no name.",
        rationale: """
            The name of a customer is personal or confidential, and a payload passes through a third party \
            unencrypted. The app does not need it, because it fetches the record and shows the name from there. The \
            same applies to addresses and similar data.
            """,
        source: RuleSource.hintContract,
        passes: [
            Example(#"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG"}"#),
            Example(#"{"aps":{"alert":"Hi"},"accountName":"Northwind Clinic"}"#),
        ],
        fails: [
            Example(
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG","#
                    + #""accountName":"Northwind Clinic"}"#),
            Example(
                #"{"aps":{"content-available":1},"type":"INTERACTION","recordIds":["0xIxx0000000001EAA"],"#
                    + #""email":"info@example.com"}"#),
        ]
    ) { notification, findings in
        notification.checkHint(.forbiddenKey, &findings)
    }
}
