import PayloadJSON

extension Rule {
    public static let hintPersonalData = Rule(
        id: "hint-personal-data", severity: .warning, layer: .style, looksAt: [.accountName],
        summary: "A hint carries no name.",
        rationale: """
            The name of a customer is personal or confidential, and a payload travels through a third party in clear. It \
            is of no use either: the app fetches the record and shows the name from there.
            """,
        source: RuleSource.hintContract,
        passes: [
            Example(#"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG"}"#),
            Example(#"{"aps":{"alert":"Hi"},"accountName":"Northwind Clinic"}"#),
        ],
        fails: [
            Example(
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG","#
                    + #""accountName":"Northwind Clinic"}"#)
        ]
    ) { notification, findings in
        guard notification.hintType != nil, let name = notification.written(.accountName) else { return }
        findings.report(
            "accountName puts a customer's name into the push; send the id alone", at: notification.place(ofKeyOf: name)
        )
    }
}
