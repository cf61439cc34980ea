import APNSModel

extension Rule {
    public static let backgroundBadge = Rule(
        id: "background-badge", severity: .error, layer: .device, looksAt: [.badge], pushTypes: .background, reads: [],
        summary: "The `aps` of a background push has no `badge`.",
        rationale: """
            A background push wakes the app without showing anything. A push that changes the badge is an alert push: \
            with push type background it may be delayed or dropped. To change the badge and wake the app, send push \
            type alert with `content-available` 1.
            """,
        source: RuleSource.backgroundUpdates,
        passes: [
            Example(#"{"aps":{"content-available":1}}"#, .background, priority: 5),
            Example(#"{"aps":{"content-available":1},"badge":"custom"}"#, .background, priority: 5),
            Example(#"{"aps":{"content-available":1,"badge":1}}"#, .alert),
            Example(#"{"aps":{"content-available":1,"badge":1}}"#),
        ],
        fails: [
            Example(#"{"aps":{"content-available":1,"badge":1}}"#, .background, priority: 5),
            Example(#"{"aps":{"badge":0,"content-available":1}}"#, .background, priority: 5),
        ]
    ) { notification, findings in
        guard let badge = notification[.badge] else { return }
        findings.report(
            "aps has badge; a background push has content-available 1 and no alert, badge or sound",
            at: notification.place(ofKeyOf: badge))
    }
}
