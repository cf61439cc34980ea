import APNSModel

extension Rule {
    public static let backgroundPriorityAbsent = Rule(
        id: "background-priority-absent", severity: .warning, layer: .delivery, stage: .headers, pushTypes: .background,
        summary: "A background push says priority 5.",
        rationale: """
            APNs takes an absent priority for 10, which is documented as an error for a background push. Whether it then \
            refuses or delays the push is not documented.
            """,
        source: RuleSource.sendingRequests,
        passes: [
            Example(#"{"aps":{"content-available":1}}"#, .background, priority: 5),
            Example(#"{"aps":{"content-available":1}}"#), Example(#"{"aps":{"alert":"Hi"}}"#, .alert),
        ],
        fails: [Example(#"{"aps":{"content-available":1}}"#, .background)]
    ) { notification, findings in
        guard notification.envelope.hasKnownHeaders, notification.envelope.priority == nil else { return }
        findings.report(
            "there is no priority, and APNs takes that for 10; a background push needs 5", at: .header("apns-priority"))
    }
}
