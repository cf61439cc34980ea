import APNSModel
import PayloadJSON

extension Rule {
    public static let contentChangedValue = Rule(
        id: "content-changed-value", severity: .error, layer: .device, looksAt: [.contentChanged], reads: [],
        summary: "The value of `content-changed` is true.",
        rationale: "A device ignores any other value, so nothing is reloaded.",
        source: RuleSource.controls,
        passes: [
            Example(#"{"aps":{"content-changed":true}}"#, .controls),
            Example(#"{"aps":{"content-changed":1}}"#, .widgets),
            Example(#"{"aps":{"content-changed":"a"}}"#, .voip),
        ],
        fails: [
            Example(#"{"aps":{"content-changed":false}}"#, .controls),
            Example(#"{"aps":{"content-changed":"true"}}"#, .widgets), Example(#"{"aps":{"content-changed":0}}"#),
        ]
    ) { notification, findings in
        guard let value = notification[.contentChanged], ![.one, .likeOne].contains(notification.flag(value)),
            notification.consumer == .reload || notification.impliedPushType == nil
        else { return }
        findings.report(
            "content-changed is \(notification.described(value)), so nothing is reloaded; it must be true",
            at: notification.place(ofValue: value))
    }
}
