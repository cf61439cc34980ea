import APNSModel
import PayloadJSON

extension Rule {
    public static let mutableContentValue = Rule(
        id: "mutable-content-value", severity: .error, layer: .device, looksAt: [.mutableContent], reads: [],
        summary: "The value of `mutable-content` is the number 1.",
        rationale: """
            With any other value the notification service extension does not run. Leave the key out if it is not \
            supposed to run.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","mutable-content":1}}"#, .alert), Example(#"{"aps":{"alert":"Hi"}}"#),
            Example(#"{"aps":{"alert":"Hi","mutable-content":true}}"#),
            Example(#"{"aps":{"mutable-content":"yes"}}"#, .voip),
        ],
        fails: [
            Example(
                #"{"aps":{"alert":"Hi","mutable-content":"1"}}"#, .alert,
                fixed: #"{"aps":{"alert":"Hi","mutable-content":1}}"#),
            Example(#"{"aps":{"alert":"Hi","mutable-content":0}}"#),
            Example(#"{"aps":{"alert":"Hi","mutable-content":false}}"#),
            Example(#"{"aps":{"alert":"Hi","mutable-content":2}}"#),
        ]
    ) { notification, findings in
        guard let value = notification[.mutableContent], ![.one, .likeOne].contains(notification.flag(value)),
            notification.consumer != .app
        else { return }
        findings.report(
            "mutable-content is \(notification.described(value)), so the service extension does not run; it must be the "
                + "number 1 or left out", at: notification.place(ofValue: value),
            fix: notification.fixOfQuotedOne(value))
    }
}
