import APNSModel
import PayloadJSON

extension Rule {
    public static let soundCriticalForm = Rule(
        id: "sound-critical-form", severity: .warning, layer: .device, looksAt: [.soundCritical], reads: [],
        summary: "`critical` is written as the number 1.",
        rationale: "Apple documents the number 1. A device may accept true or 1.0 as well, but this is not documented.",
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"name":"alarm.caf"}}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":false,"name":"alarm.caf"}}}"#),
        ],
        fails: [
            Example(
                #"{"aps":{"alert":"Hi","sound":{"critical":true,"name":"alarm.caf"}}}"#,
                fixed: #"{"aps":{"alert":"Hi","sound":{"critical":1,"name":"alarm.caf"}}}"#),
            Example(
                #"{"aps":{"alert":"Hi","sound":{"critical":1.0,"name":"alarm.caf"}}}"#,
                fixed: #"{"aps":{"alert":"Hi","sound":{"critical":1,"name":"alarm.caf"}}}"#),
        ]
    ) { notification, findings in
        guard notification.consumer != .app else { return }
        notification.reportForm(of: .soundCritical, &findings)
    }
}
