import APNSModel
import PayloadJSON

extension Rule {
    public static let interruptionLevelValue = Rule(
        id: "interruption-level-value", severity: .warning, layer: .device, looksAt: [.interruptionLevel],
        summary: "An `interruption-level` is passive, active, time-sensitive or critical.",
        rationale: """
            It is not documented what a device does with another word. It probably treats it as active, so an urgent \
            notification waits in a Focus, or a quiet one disturbs.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","interruption-level":"passive"}}"#),
            Example(#"{"aps":{"alert":"Hi","interruption-level":"time-sensitive"}}"#, .alert),
            Example(#"{"aps":{"alert":"Hi","interruption-level":2}}"#),
        ],
        fails: [
            Example(
                #"{"aps":{"alert":"Hi","interruption-level":"timeSensitive"}}"#, .alert,
                fixed: #"{"aps":{"alert":"Hi","interruption-level":"time-sensitive"}}"#),
            Example(#"{"aps":{"alert":"Hi","interruption-level":"high"}}"#),
            Example(#"{"aps":{"alert":"Hi","interruption-level":"pasive"}}"#),
            Example(
                #"{"aps":{"alert":"Hi","interruption-level":"Critical"}}"#,
                fixed: #"{"aps":{"alert":"Hi","interruption-level":"critical"}}"#),
        ]
    ) { notification, findings in
        guard let level = notification[.interruptionLevel], notification.document.kind(of: level) == .string,
            notification.consumer == .notifications
        else { return }
        notification.reportWord(
            level, of: .interruptionLevel, or: "which a device probably treats as active", &findings)
    }
}
