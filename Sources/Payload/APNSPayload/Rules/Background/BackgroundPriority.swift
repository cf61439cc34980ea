import APNSModel

extension Rule {
    public static let backgroundPriority = Rule(
        id: "background-priority", severity: .error, layer: .gateway, refusal: .badPriority, stage: .headers,
        pushTypes: .background,
        summary: "A background push does not have priority 10.",
        rationale: """
            The device chooses when to wake an app for background work, so Apple documents priority 10 as an error \
            here and asks for 5. The reason that APNs answers is not documented; BadPriority is the most likely one.
            """,
        source: RuleSource.sendingRequests,
        passes: [
            Example(#"{"aps":{"content-available":1}}"#, .background, priority: 5),
            Example(#"{"aps":{"content-available":1}}"#, .background, priority: 1),
            Example(#"{"aps":{"alert":"Hi","content-available":1}}"#, .alert, priority: 10),
        ],
        fails: [Example(#"{"aps":{"content-available":1}}"#, .background, priority: 10)]
    ) { notification, findings in
        guard let priority = notification.envelope.priority,
            Int(priority) == Priority.immediate.rawValue
        else { return }
        findings.report("priority is 10; a background push needs 5", at: .header("apns-priority"))
    }
}
