import APNSModel

extension Rule {
    public static let backgroundPushType = Rule(
        id: "background-push-type", severity: .warning, layer: .delivery, looksAt: [.contentAvailable],
        pushTypes: .any.subtracting(.background), reads: [],
        summary: "A silent push has push type background.",
        rationale: """
            Since iOS 13 and watchOS 6 APNs requires the push type. A push that asks only for background work, but has \
            another push type or none, may be delayed or dropped.
            """,
        source: RuleSource.sendingRequests,
        passes: [
            Example(#"{"aps":{"content-available":1}}"#, .background, priority: 5),
            Example(#"{"aps":{"content-available":1,"alert":"Hi"}}"#, .alert),
            Example(#"{"aps":{"content-available":1}}"#),
            Example(#"{"aps":{"content-available":1}}"#, .location),
            Example(#"{"aps":{"content-available":1}}"#, topic: "com.example.agent.voip"),
        ],
        fails: [
            Example(#"{"aps":{"content-available":1}}"#, .alert),
            Example(#"{"aps":{"content-available":1},"page":2}"#, .alert, kind: .payload),
            Example(#"{"aps":{"content-available":1}}"#, topic: "com.example.agent"),
        ]
    ) { notification, findings in
        // Of a bare payload only an option or a configuration can tell the push type.
        guard notification.pushType != nil || notification.envelope.hasKnownHeaders,
            notification.contentAvailable.isSet, notification.isSilent, notification.isAppNotification
        else { return }
        let found = notification.pushType.map { "push type is \($0)" } ?? "there is no push type"
        findings.report(
            "\(found), but aps asks only for background work, which needs push type background",
            at: .header("apns-push-type"))
    }
}
