import APNSModel
import PayloadJSON

extension Rule {
    public static let soundKeyType = Rule(
        id: "sound-key-type", severity: .error, layer: .device, looksAt: [.soundName, .soundVolume], reads: [],
        summary: "In a `sound` object, `name` is a string and `volume` is a number.",
        rationale: "The device ignores a value of another type, and plays the default sound or none.",
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"name":"alarm.caf","volume":0.9}}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"name":null}}}"#),
        ],
        fails: [
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"name":7}}}"#),
            Example(
                #"{"aps":{"alert":"Hi","sound":{"critical":1,"volume":"1"}}}"#,
                fixed: #"{"aps":{"alert":"Hi","sound":{"critical":1,"volume":1}}}"#),
            Example(
                #"{"aps":{"alert":"Hi","sound":{"critical":1,"volume":"0.5"}}}"#,
                fixed: #"{"aps":{"alert":"Hi","sound":{"critical":1,"volume":0.5}}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"volume":"50%"}}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"volume":true}}}"#),
        ]
    ) { notification, findings in
        guard notification.consumer != .app else { return }
        notification.reportTypes(of: [.soundName, .soundVolume], fixesFractions: true, &findings)
    }
}
