import APNSModel
import PayloadJSON

extension Rule {
    public static let contentAvailableForm = Rule(
        id: "content-available-form", severity: .warning, layer: .device, looksAt: [.contentAvailable], reads: [],
        summary: "`content-available` is written as the number 1.",
        rationale: "Apple documents the number 1. A device may accept true or 1.0 as well, but this is not documented.",
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"content-available":1}}"#), Example(#"{"aps":{"content-available":0}}"#), Example("{}"),
        ],
        fails: [
            Example(#"{"aps":{"content-available":true}}"#, fixed: #"{"aps":{"content-available":1}}"#),
            Example(
                #"{"aps":{"content-available":true}}"#, .background, priority: 5,
                fixed: #"{"aps":{"content-available":1}}"#),
            Example(#"{"aps":{"content-available":1.0}}"#, fixed: #"{"aps":{"content-available":1}}"#),
            Example(#"{"aps":{"content-available":1e0}}"#, fixed: #"{"aps":{"content-available":1}}"#),
        ]
    ) { notification, findings in
        guard case .likeOne(let value) = notification.contentAvailable else { return }
        findings.report(
            "content-available is \(notification.shown(value)); write the number 1",
            at: notification.place(ofValue: value),
            fix: Fix("write the number 1", [Fix.Edit(notification.document.range(of: value), "1")]))
    }
}
