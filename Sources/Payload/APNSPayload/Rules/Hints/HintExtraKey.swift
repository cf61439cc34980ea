import PayloadJSON

extension Rule {
    public static let hintExtraKey = Rule(
        id: "hint-extra-key", severity: .note, layer: .style, looksAt: [.type],
        summary: "A hint carries ids and its type, and nothing more.",
        rationale: """
            The record comes from the server, over a call that knows who is asking. What else stands in the push may be out of \
            date when it arrives, and takes room from ids. Names and the like have a rule of their own.
            """,
        source: RuleSource.hintContract,
        passes: [
            Example(
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001xx000003DGb2AAG","#
                    + #""changedFields":"Name, Owner"}"#),
            Example(#"{"aps":{"alert":"Hi"},"type":"TEST","message":"Hello","by":"admin"}"#),
        ],
        fails: [
            Example(
                #"{"aps":{"content-available":1},"type":"INTERACTION","recordIds":["0xIxx0000000001EAA"],"#
                    + #""status":"Closed"}"#)
        ]
    ) { notification, findings in
        notification.hint?.check(.unknownKey, in: notification, &findings)
    }
}
