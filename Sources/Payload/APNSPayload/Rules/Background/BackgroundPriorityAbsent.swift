import APNSModel

extension Rule {
    public static let backgroundPriorityAbsent = Rule(
        id: "background-priority-absent", severity: .warning, layer: .delivery, stage: .headers, pushTypes: .background,
        summary: "A background push has an explicit priority of 5.",
        rationale: """
            APNs treats a missing priority as 10, which is documented as an error for a background push. It is not \
            documented whether APNs then refuses or delays the push.
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
            "there is no priority, so APNs uses 10; a background push needs 5", at: .header("apns-priority"))
    }
}
