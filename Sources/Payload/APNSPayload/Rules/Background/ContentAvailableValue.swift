import APNSModel

extension Rule {
    public static let contentAvailableValue = Rule(
        id: "content-available-value", severity: .error, layer: .device, looksAt: [.contentAvailable],
        pushTypes: .any.subtracting(.background), reads: [],
        summary: "The value of `content-available` is the number 1.",
        rationale: """
            A device ignores any other value, so it does not wake the app. Leave the key out if the app is not \
            supposed to wake. For a background push, background-content-available reports the same problem.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","content-available":1}}"#, .alert), Example(#"{"aps":{"alert":"Hi"}}"#),
            Example(#"{"aps":{"content-available":0}}"#, .background, priority: 5),
        ],
        fails: [
            Example(
                #"{"aps":{"alert":"Hi","content-available":"1"}}"#, .alert,
                fixed: #"{"aps":{"alert":"Hi","content-available":1}}"#),
            Example(#"{"aps":{"alert":"Hi","content-available":"yes"}}"#, .alert),
            Example(#"{"aps":{"content-available":0}}"#), Example(#"{"aps":{"content-available":2}}"#),
            Example(#"{"aps":{"content-available":false}}"#), Example(#"{"aps":{"content-available":[1]}}"#),
        ]
    ) { notification, findings in
        guard case .other(let value) = notification.contentAvailable else { return }
        findings.report(
            "content-available is \(notification.shown(value)); it must be the number 1 or left out",
            at: notification.place(ofValue: value), fix: notification.fixOfQuotedOne(value))
    }
}
