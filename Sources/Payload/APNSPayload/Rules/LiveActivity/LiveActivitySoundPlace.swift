import APNSModel
import PayloadJSON

extension Rule {
    public static let liveActivitySoundPlace = Rule(
        id: "liveactivity-sound-place", severity: .warning, layer: .device, looksAt: [.sound], reads: [],
        summary: "The `sound` of a Live Activity is in its `alert`.",
        rationale: """
            A notification has its sound in `aps`. A Live Activity push has it in `alert`, beside title and body.
            """,
        source: RuleSource.liveActivities,
        passes: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"#
                    + #""alert":{"title":"Hi","body":"You","sound":"chime.aiff"}}}"#, .liveactivity),
            Example(#"{"aps":{"alert":"Hi","sound":"default"}}"#),
        ],
        fails: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"#
                    + #""alert":{"title":"Hi","body":"You"},"sound":"chime.aiff"}}"#, .liveactivity)
        ]
    ) { notification, findings in
        guard let sound = notification[.sound], notification.consumer == .liveActivity else { return }
        findings.report(
            "sound is in aps, where a Live Activity ignores it; move it into alert",
            at: notification.place(ofKeyOf: sound))
    }
}
