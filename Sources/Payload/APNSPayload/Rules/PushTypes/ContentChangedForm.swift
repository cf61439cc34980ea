import APNSModel
import PayloadJSON

extension Rule {
    public static let contentChangedForm = Rule(
        id: "content-changed-form", severity: .warning, layer: .device, looksAt: [.contentChanged], reads: [],
        summary: "`content-changed` is written as true.",
        rationale: "Apple documents true. A device may accept 1 as well, but this is not documented.",
        source: RuleSource.controls,
        passes: [Example(#"{"aps":{"content-changed":true}}"#, .controls)],
        fails: [
            Example(#"{"aps":{"content-changed":1}}"#, .controls, fixed: #"{"aps":{"content-changed":true}}"#),
            Example(#"{"aps":{"content-changed":1.0}}"#, .widgets, fixed: #"{"aps":{"content-changed":true}}"#),
        ]
    ) { notification, findings in
        guard let value = notification[.contentChanged], notification.document.kind(of: value) != .true,
            [.one, .likeOne].contains(notification.flag(value)),
            notification.consumer == .reload || notification.impliedPushType == nil
        else { return }
        findings.report(
            "content-changed is \(notification.shown(value)); write true", at: notification.place(ofValue: value),
            fix: Fix("write true", [Fix.Edit(notification.document.range(of: value), "true")]))
    }
}
