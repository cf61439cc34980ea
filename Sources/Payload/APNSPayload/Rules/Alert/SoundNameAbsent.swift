import APNSModel
import PayloadJSON

extension Rule {
    public static let soundNameAbsent = Rule(
        id: "sound-name-absent", severity: .warning, layer: .device, looksAt: keysOfCritical, reads: [],
        summary: "The `sound` object of a critical alert has a `name`.",
        rationale: """
            The object has three keys: `critical`, `name` and `volume`. Without a name no sound is asked for. `default` is \
            the system's sound.
            """,
        source: RuleSource.generatingPayloads,
        passes: [
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"name":"default"}}}"#),
            Example(#"{"aps":{"sound":{"critical":1}}}"#, .voip),
        ],
        fails: [
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1}}}"#),
            Example(#"{"aps":{"alert":"Hi","sound":{"critical":1,"name":"","volume":1}}}"#, .alert),
        ]
    ) { notification, findings in
        guard notification.consumer != .app, let sound = notification[.sound],
            notification.document.isObject(sound), notification.has(keysOfCritical)
        else { return }
        if let name = notification[.soundName] {
            guard notification.isEmptyText(name) else { return }
            return findings.report(
                "name is empty, so no sound is named; write a sound file of the app, or default",
                at: notification.place(ofValue: name))
        }
        findings.report(
            "sound has no name, so no sound is named; add the name of a sound file of the app, or default",
            at: notification.place(ofMissingIn: sound), missing: "name")
    }

    /// A sound object without these is not a critical alert, which another rule reports.
    private static let keysOfCritical: KeySet = [.soundCritical, .soundVolume]
}
