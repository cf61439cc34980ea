import PayloadJSON

extension Rule {
    public static let hintExtraKey = Rule(
        id: "hint-extra-key", severity: .note, layer: .style, looksAt: .hintOtherKey,
        summary: "A hint contains ids and its type and nothing else.",
        rationale: """
            The app fetches the record from the server, which checks who is asking. Other data in the push may be out \
            of date when it arrives, and uses space that ids need. Another rule reports names and similar data.
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
        notification.checkHint(.unknownKey, &findings)
    }
}
