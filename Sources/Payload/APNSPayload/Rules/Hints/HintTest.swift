import PayloadJSON

extension Rule {
    public static let hintTest = Rule(
        id: "hint-test", severity: .note, layer: .device, looksAt: [.type],
        summary: "The set-up check TEST is visible.",
        rationale: """
            It is sent once, for a person to see that pushes arrive. There is nothing to fetch, so an app does nothing with a \
            silent one.
            """,
        source: RuleSource.hintContract,
        passes: [
            Example(#"{"aps":{"alert":"Test Push Notification"},"type":"TEST","message":"Hello"}"#),
            Example(#"{"aps":{"content-available":1},"type":"TESTS","message":"Hello"}"#),
            Example(#"{"aps":{"content-available":1},"type":"TEST"}"#),
        ],
        fails: [Example(#"{"aps":{"content-available":1},"type":"TEST","message":"Hello"}"#)]
    ) { notification, findings in
        // TEST is a common word; with a message it is most likely ours.
        guard let type = notification[.type], notification.document.isString(type, "TEST"),
            notification.document.member("message", of: .root) != nil
        else { return }
        ApplicationContract.test.check(.visibility, in: notification, &findings)
    }
}
