import APNSModel
import PayloadJSON

extension Rule {
    public static let safariAlertText = Rule(
        id: "safari-alert-text", severity: .error, layer: .device, pushTypes: [.alert, .absent], reads: [],
        summary: "A website push for Safari has an `alert` with `title` and `body`.",
        rationale: """
            Both are required; without them Safari shows nothing. The topic of such a push is a website push id, such \
            as web.com.example.
            """,
        source: RuleSource.safari,
        passes: [
            Example(
                #"{"aps":{"alert":{"title":"Hi","body":"You","action":"View"},"url-args":["a"]}}"#, .alert,
                topic: "web.com.example"),
            Example(#"{"aps":{"alert":"Hi"}}"#, .alert, topic: "com.example.agent"),
        ],
        fails: [
            Example(#"{"aps":{"alert":{"title":"Hi"},"url-args":[]}}"#, .alert, topic: "web.com.example"),
            Example(#"{"aps":{"alert":"Hi","url-args":[]}}"#, topic: "web.com.example"),
            Example(#"{"aps":{"url-args":[]}}"#, .alert, topic: "web.com.example"),
        ]
    ) { notification, findings in
        guard notification.isForWebsite, !notification.hasUnreadableAPS else {
            return
        }
        let missing = [KnownKey.alertTitle, .alertBody].filter { notification[$0] == nil }
        guard !missing.isEmpty else { return }
        let place =
            notification[.alert].map { notification.place(ofKeyOf: $0) }
            ?? notification.place(ofMissingIn: notification.aps ?? .root)
        findings.report(
            "alert has no \(missing.map(\.name).listed("or")), so Safari shows nothing; a website push needs an object with "
                + "title and body", at: place, missing: missing.map(\.name).listed())
    }
}
