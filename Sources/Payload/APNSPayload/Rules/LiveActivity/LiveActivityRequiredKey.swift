import APNSModel
import PayloadJSON

extension Rule {
    public static let liveActivityRequiredKey = Rule(
        id: "liveactivity-required-key", severity: .error, layer: .device,
        pushTypes: [.liveactivity, .absent], reads: [.event],
        summary: "A Live Activity push has `timestamp` and `event`, and `content-state` to start or update.",
        rationale: "APNs accepts a push without them, and the device ignores it.",
        source: RuleSource.liveActivities,
        passes: [
            Example(#"{"aps":{"timestamp":1767225600,"event":"update","content-state":{"score":3}}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":1767225600,"event":"end"}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":1767225600}}"#), Example("{}"),
        ],
        fails: [
            Example(#"{"aps":{"event":"update","content-state":{}}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":1767225600,"content-state":{}}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":1767225600,"event":"update"}}"#),
            Example(#"{"aps":{"timestamp":1767225600,"event":"start","content-state":null}}"#, .liveactivity),
            Example(#"{"aps":{"alert":"Hi"}}"#, .liveactivity), Example("{}", .liveactivity),
            Example(#"{"aps":null}"#, .liveactivity),
            Example("{}", topic: "com.example.agent.push-type.liveactivity"),
        ]
    ) { notification, findings in
        guard !notification.hasUnreadableAPS,
            notification.consumer == .liveActivity
        else { return }
        let needsState = notification.isText(.event, "start") || notification.isText(.event, "update")
        let lacksState = needsState && notification[.contentState] == nil
        guard lacksState || notification[.timestamp] == nil || notification[.event] == nil else { return }
        let wanted: [KnownKey] = needsState ? [.timestamp, .event, .contentState] : [.timestamp, .event]
        let missing = wanted.filter { notification[$0] == nil }
        findings.report(
            "aps has no \(missing.map(\.name).listed("or")), so the device ignores this Live Activity push",
            at: notification.place(ofMissingIn: notification.aps ?? .root), missing: missing.map(\.name).listed())
    }
}
