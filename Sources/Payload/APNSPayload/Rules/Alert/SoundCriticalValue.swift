import APNSModel
import PayloadJSON

extension Rule {
    public static let soundCriticalValue = Rule(
        id: "sound-critical-value", severity: .error, layer: .device, looksAt: [.soundCritical], reads: [],
        summary: "The value of `critical` is the number 1.",
        rationale: """
            A device ignores any other value, so it plays an ordinary sound, and none while it is muted. 0 asks for an \
            ordinary sound and is not reported.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"name":"alarm.caf"}}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":0,"name":"alarm.caf"}}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":true,"name":"alarm.caf"}}}"#),
        ],
        fails: [
            Example(
                #"{"aps":{"alert":"Hi","sound":{"critical":"1","name":"alarm.caf"}}}"#,
                fixed: #"{"aps":{"alert":"Hi","sound":{"critical":1,"name":"alarm.caf"}}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":2,"name":"alarm.caf"}}}"#),
        ]
    ) { notification, findings in
        guard let critical = notification[.soundCritical], notification.flag(critical) == .other,
            notification.consumer != .app
        else { return }
        findings.report(
            "critical is \(notification.described(critical)), so the device plays an ordinary sound; it must be the number 1",
            at: notification.place(ofValue: critical), fix: notification.fixOfQuotedOne(critical))
    }
}
