import APNSModel

extension Rule {
    public static let backgroundAlert = Rule(
        id: "background-alert", severity: .error, layer: .device, looksAt: [.alert], pushTypes: .background, reads: [],
        summary: "The `aps` of a background push has no `alert`.",
        rationale: """
            A background push wakes the app without showing anything. A push that shows something is an alert push: \
            with push type background it may be delayed or dropped. To show an alert and wake the app, send push type \
            alert with `content-available` 1.
            """,
        source: RuleSource.backgroundUpdates,
        passes: [
            Example(#"{"aps":{"content-available":1}}"#, .background, priority: 5),
            Example(#"{"aps":{"content-available":1},"alert":"custom"}"#, .background, priority: 5),
            Example(#"{"aps":{"content-available":1,"alert":"Hi"}}"#, .alert),
            Example(#"{"aps":{"content-available":1,"alert":"Hi"}}"#),
        ],
        fails: [
            Example(#"{"aps":{"content-available":1,"alert":"Hi"}}"#, .background, priority: 5),
            Example(#"{"aps":{"alert":{"body":"Hi"},"content-available":1}}"#, .background, priority: 5),
        ]
    ) { notification, findings in
        guard let alert = notification[.alert] else { return }
        findings.report(
            "aps has alert; a background push has content-available 1 and no alert, badge or sound",
            at: notification.place(ofKeyOf: alert))
    }
}
