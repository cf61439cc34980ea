import APNSModel
import PayloadJSON

extension Rule {
    public static let liveActivityEvent = Rule(
        id: "liveactivity-event", severity: .error, layer: .device, looksAt: [.event],
        summary: "The `event` of a Live Activity push is start, update or end.",
        rationale: "The device ignores any other word. It compares words exactly.",
        source: RuleSource.liveActivities,
        passes: [
            Example(#"{"aps":{"timestamp":1767225600,"event":"update","content-state":{}}}"#, .liveactivity),
            Example(#"{"aps":{"alert":"Hi","event":"party"}}"#, .alert),
        ],
        fails: [
            Example(#"{"aps":{"timestamp":1767225600,"event":"stop","content-state":{}}}"#, .liveactivity),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"Update","content-state":{}}}"#,
                fixed: #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{}}}"#),
            Example(#"{"aps":{"timestamp":1767225600,"event":"","content-state":{}}}"#, .liveactivity),
        ]
    ) { notification, findings in
        guard let event = notification[.event], notification.consumer == .liveActivity else { return }
        notification.reportWord(event, of: .event, or: "which the device ignores", &findings)
    }
}
