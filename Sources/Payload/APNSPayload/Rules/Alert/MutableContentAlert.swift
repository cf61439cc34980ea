import APNSModel
import PayloadJSON

extension Rule {
    public static let mutableContentAlert = Rule(
        id: "mutable-content-alert", severity: .warning, layer: .device, looksAt: [.mutableContent], reads: [],
        summary: "A push with `mutable-content` shows an alert.",
        rationale: """
            A notification service extension changes a notification before it is shown, so it runs only for an alert \
            with a title, subtitle or body. Without one, `mutable-content` has no effect.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","mutable-content":1}}"#, .alert),
            Example(#"{"aps":{"alert":{"title-loc-key":"T"},"mutable-content":1}}"#),
            Example(#"{"aps":{"badge":1,"mutable-content":0}}"#), Example(#"{"aps":{"mutable-content":1}}"#, .voip),
        ],
        fails: [
            Example(#"{"aps":{"content-available":1,"mutable-content":1}}"#, .background, priority: 5),
            Example(#"{"aps":{"badge":1,"mutable-content":1}}"#, .alert),
            Example(#"{"aps":{"alert":{},"sound":"default","mutable-content":true}}"#),
        ]
    ) { notification, findings in
        guard let value = notification[.mutableContent], [.one, .likeOne].contains(notification.flag(value)),
            notification[.alert].map({ notification.isEmptyAlert($0) }) ?? true, notification.consumer == .notifications
        else { return }
        findings.report(
            "mutable-content is set, but there is no alert text, so the service extension does not run; give alert a "
                + "title or body, or leave the key out", at: notification.place(ofKeyOf: value))
    }
}
