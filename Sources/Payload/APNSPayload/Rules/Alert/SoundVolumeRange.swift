import APNSModel
import PayloadJSON

extension Rule {
    public static let soundVolumeRange = Rule(
        id: "sound-volume-range", severity: .warning, layer: .device, looksAt: [.soundVolume], reads: [],
        summary: "The `volume` of a critical alert is from 0 to 1.",
        rationale: "0 is silent and 1 is full volume. The effect of another number is not documented.",
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"volume":1}}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"volume":0.25}}}"#),
        ],
        fails: [
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"volume":80}}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"volume":-0.5}}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"volume":1e400}}}"#),
        ]
    ) { notification, findings in
        guard let volume = notification[.soundVolume], notification.isNumber(volume, outside: 0...1),
            notification.consumer != .app
        else { return }
        findings.report(
            "volume is \(notification.shown(volume)); it must be from 0 to 1",
            at: notification.place(ofValue: volume)
        )
    }
}
