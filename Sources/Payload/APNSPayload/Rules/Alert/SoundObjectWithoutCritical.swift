import APNSModel
import PayloadJSON

extension Rule {
    public static let soundObjectWithoutCritical = Rule(
        id: "sound-object-without-critical", severity: .note, layer: .style, looksAt: [.sound], reads: [],
        summary: "A `sound` object is for critical alerts.",
        rationale: """
            Apple documents two forms: the name of a sound for regular notifications, and an object for critical \
            alerts. An object without `critical` 1 has the same effect as the name.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"name":"alarm.caf"}}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":"chime.caf"}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":0,"name":"chime.caf"}}}"#),
        ],
        fails: [Example(#"{"aps":{"alert":"Hi","sound":{"name":"chime.caf"}}}"#)]
    ) { notification, findings in
        guard let sound = notification[.sound], notification.document.kind(of: sound) == .object,
            notification.written(.soundCritical) == nil, notification.consumer != .app
        else { return }
        findings.report(
            "sound is an object without critical; for a regular notification write the name of the sound",
            at: notification.place(ofKeyOf: sound))
    }
}
