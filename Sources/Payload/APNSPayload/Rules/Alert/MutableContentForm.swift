import APNSModel
import PayloadJSON

extension Rule {
    public static let mutableContentForm = Rule(
        id: "mutable-content-form", severity: .warning, layer: .device, looksAt: [.mutableContent], reads: [],
        summary: "`mutable-content` is written as the number 1.",
        rationale: "Apple documents the number 1. A device may accept true or 1.0 as well, but this is not documented.",
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","mutable-content":1}}"#, .alert),
            Example(#"{"aps":{"alert":"Hi","mutable-content":0}}"#),
        ],
        fails: [
            Example(
                #"{"aps":{"alert":"Hi","mutable-content":true}}"#, .alert,
                fixed: #"{"aps":{"alert":"Hi","mutable-content":1}}"#),
            Example(
                #"{"aps":{"alert":"Hi","mutable-content":1.0}}"#, fixed: #"{"aps":{"alert":"Hi","mutable-content":1}}"#),
        ]
    ) { notification, findings in
        guard notification.consumer != .app else { return }
        notification.reportForm(of: .mutableContent, &findings)
    }
}
