import APNSModel
import PayloadJSON

extension Rule {
    public static let unknownSoundKey = Rule(
        id: "unknown-sound-key", severity: .warning, layer: .device, looksAt: .unknownInSound,
        summary: "A `sound` object contains the keys `critical`, `name` and `volume` only.",
        rationale: "The device ignores any other key. Other rules report keys that look like typing errors.",
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"name":"alarm.caf","volume":1}}}"#),
            Example(#"{"aps":{"sound":{"repeat":3}}}"#, .voip),
        ],
        fails: [Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"name":"alarm.caf","repeat":3}}}"#)]
    ) { notification, findings in
        notification.reportUnknown(in: [.sound], "; its keys are critical, name and volume", &findings)
    }
}
