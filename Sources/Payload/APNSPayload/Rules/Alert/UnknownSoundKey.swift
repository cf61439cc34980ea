import APNSModel
import PayloadJSON

extension Rule {
    public static let unknownSoundKey = Rule(
        id: "unknown-sound-key", severity: .warning, layer: .device, looksAt: .unknownInSound,
        summary: "An object `sound` has the keys `critical`, `name` and `volume` only.",
        rationale: "The device ignores any other key. Keys that look like a slip have rules of their own.",
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"name":"alarm.caf","volume":1}}}"#),
            Example(#"{"aps":{"sound":{"repeat":3}}}"#, .voip),
        ],
        fails: [Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"name":"alarm.caf","repeat":3}}}"#)]
    ) { notification, findings in
        notification.reportUnknown(in: [.sound], "; it has critical, name and volume", &findings)
    }
}
