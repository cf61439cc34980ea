import APNSModel

extension Rule {
    public static let backgroundSound = Rule(
        id: "background-sound", severity: .error, layer: .device, looksAt: [.sound], pushTypes: .background, reads: [],
        summary: "The `aps` of a background push has no `sound`.",
        rationale: """
            A background push wakes the app without showing anything. A push that plays a sound is an alert push: with \
            push type background it may be delayed or dropped. To play a sound and wake the app, send push type alert \
            with `content-available` 1.
            """,
        source: RuleSource.backgroundUpdates,
        passes: [
            Example(#"{"aps":{"content-available":1}}"#, .background, priority: 5),
            Example(#"{"aps":{"content-available":1},"sound":"custom"}"#, .background, priority: 5),
            Example(#"{"aps":{"content-available":1,"sound":"default"}}"#, .alert),
            Example(#"{"aps":{"content-available":1,"sound":"default"}}"#),
        ],
        fails: [
            Example(#"{"aps":{"content-available":1,"sound":"default"}}"#, .background, priority: 5),
            Example(#"{"aps":{"sound":"","content-available":1}}"#, .background, priority: 5),
        ]
    ) { notification, findings in
        guard let sound = notification[.sound] else { return }
        findings.report(
            "aps has sound; a background push has content-available 1 and no alert, badge or sound",
            at: notification.place(ofKeyOf: sound))
    }
}
