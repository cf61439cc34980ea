import PayloadJSON

extension Rule {
    public static let hintTest = Rule(
        id: "hint-test", severity: .note, layer: .device, looksAt: .testType, reads: .customInRoot,
        summary: "The TEST push for a set-up is visible.",
        rationale: """
            It is sent once, so that a person can see that pushes arrive. An app does nothing with a silent one, \
            because there is nothing to fetch.
            """,
        source: RuleSource.hintContract,
        passes: [
            Example(#"{"aps":{"alert":"Test Push Notification"},"type":"TEST","message":"Hello"}"#),
            Example(#"{"aps":{"content-available":1},"type":"TESTS","message":"Hello"}"#),
            Example(#"{"aps":{"content-available":1},"type":"TEST"}"#),
        ],
        fails: [Example(#"{"aps":{"content-available":1},"type":"TEST","message":"Hello"}"#)]
    ) { notification, findings in
        // TEST is a common word; only with a message is it probably this hint.
        guard let type = notification[.type], notification.document.isString(type, "TEST"),
            notification.document.member("message", of: .root) != nil
        else { return }
        ApplicationContract.test.check(.visibility, in: notification, &findings)
    }
}
