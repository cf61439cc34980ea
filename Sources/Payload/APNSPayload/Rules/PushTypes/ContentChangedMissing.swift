import APNSModel
import PayloadJSON

extension Rule {
    public static let contentChangedMissing = Rule(
        id: "content-changed-missing", severity: .error, layer: .device,
        pushTypes: [.controls, .widgets, .absent], reads: [],
        summary: "The `aps` of a controls or widgets push has `content-changed`.",
        rationale: "Only this key reloads the controls or widgets. Without it the push arrives and nothing happens.",
        source: RuleSource.controls,
        passes: [
            Example(#"{"aps":{"content-changed":true}}"#, .controls),
            Example(#"{"aps":{"content-changed":true}}"#, .widgets), Example("{}"),
        ],
        fails: [
            Example(#"{"aps":{}}"#, .widgets), Example("{}", .controls),
            Example(#"{"aps":{"content-available":1}}"#, .controls), Example(#"{"content-changed":true}"#, .widgets),
            Example(#"{"aps":{"content-changed":null}}"#, topic: "com.example.agent.push-type.widgets"),
        ]
    ) { notification, findings in
        guard notification[.contentChanged] == nil, !notification.hasUnreadableAPS,
            notification.consumer == .reload
        else { return }
        let pushType = notification.impliedPushType ?? .widgets
        findings.report(
            "aps has no content-changed, so nothing is reloaded; a \(pushType) push needs content-changed true",
            at: notification.place(ofMissingIn: notification.aps ?? .root), missing: "content-changed")
    }
}
