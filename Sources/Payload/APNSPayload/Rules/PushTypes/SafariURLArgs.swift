import APNSModel
import PayloadJSON

extension Rule {
    public static let safariURLArgs = Rule(
        id: "safari-url-args", severity: .warning, layer: .device, pushTypes: [.alert, .absent], reads: [],
        summary: "A website push for Safari has `url-args`.",
        rationale: """
            They fill the placeholders of the website's URL format, one for each; without placeholders the array is \
            empty. The format is not part of the push, so the number is not checked.
            """,
        source: RuleSource.safari,
        passes: [
            Example(
                #"{"aps":{"alert":{"title":"Hi","body":"You"},"url-args":[]}}"#, .alert, topic: "web.com.example"),
            Example(#"{"aps":{"alert":"Hi"}}"#, .alert, topic: "com.example.agent"),
        ],
        fails: [
            Example(#"{"aps":{"alert":{"title":"Hi","body":"You"}}}"#, .alert, topic: "web.com.example")
        ]
    ) { notification, findings in
        guard notification[.urlArgs] == nil, let aps = notification.aps, notification.isForWebsite else { return }
        findings.report(
            "aps has no url-args, so Safari cannot fill the site's URL; give an array of strings, which may be empty",
            at: notification.place(ofMissingIn: aps), missing: "url-args")
    }
}
