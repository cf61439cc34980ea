import APNSModel
import PayloadJSON

extension Rule {
    public static let deprecatedKey = Rule(
        id: "deprecated-key", severity: .warning, layer: .device,
        looksAt: [.alertAction, .alertActionLocKey, .alertSummaryArg, .alertSummaryArgCount], reads: [],
        summary: "An `alert` has no keys of old systems.",
        rationale: """
            Since iOS 8 the buttons of a notification come from its `category`, and since iOS 15 the system writes the \
            summary of a group, so these keys are ignored. A website push in Safari still uses `action`.
            """,
        source: RuleSource.legacyGuide,
        passes: [
            Example(#"{"aps":{"alert":{"title":"Hi","body":"You"},"category":"VISIT"}}"#, .alert),
            Example(
                #"{"aps":{"alert":{"title":"Hi","body":"You","action":"View"},"url-args":[]}}"#,
                topic: "web.com.example"),
            Example(#"{"aps":{"alert":{"title":"Hi","body":"You","action":"View"},"url-args":[]}}"#),
            Example(#"{"aps":{"alert":{"action":"View"}}}"#, .voip),
        ],
        fails: [
            Example(#"{"aps":{"alert":{"body":"Hi","action-loc-key":"VIEW"}}}"#),
            Example(#"{"aps":{"alert":{"body":"Hi","action-loc-key":null}}}"#),
            Example(#"{"aps":{"alert":{"body":"Hi","action":"View"}}}"#, .alert, topic: "com.example.agent"),
            Example(#"{"aps":{"alert":{"body":"Hi","summary-arg":"Anna"}}}"#),
            Example(#"{"aps":{"alert":{"body":"Hi","summary-arg-count":2}}}"#, .alert),
        ]
    ) { notification, findings in
        guard notification.consumer == .notifications, !notification.isForWebsite, notification[.urlArgs] == nil else {
            return
        }
        let old: [(KnownKey, String)] = [
            (.alertAction, "give the notification a category with actions"),
            (.alertActionLocKey, "give the notification a category with actions"),
            (.alertSummaryArg, "iOS 15 and later write the summary themselves"),
            (.alertSummaryArgCount, "iOS 15 and later write the summary themselves"),
        ]
        for (key, advice) in old {
            guard let value = notification.written(key) else { continue }
            findings.report(
                "\(key.name) is a key of old systems that the device ignores; \(advice)",
                at: notification.place(ofKeyOf: value))
        }
    }
}
