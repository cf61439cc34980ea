import APNSModel
import PayloadJSON

extension Rule {
    public static let liveActivityStartKey = Rule(
        id: "liveactivity-start-key", severity: .error, layer: .device, looksAt: [.event],
        summary: "A push that starts a Live Activity has `attributes-type`, `attributes` and `alert`.",
        rationale: """
            The type selects the Live Activity to start, the attributes are its fixed content, and the alert informs \
            the user. Without one of them nothing starts.
            """,
        source: RuleSource.liveActivities,
        passes: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"start","content-state":{},"attributes-type":"Visit","#
                    + #""attributes":{},"alert":{"title":"Hi","body":"You"}}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":1767225600,"event":"update","content-state":{}}}"#, .liveactivity),
        ],
        fails: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"start","content-state":{},"attributes-type":"Visit","#
                    + #""attributes":{}}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":1767225600,"event":"start","content-state":{}}}"#),
        ]
    ) { notification, findings in
        guard notification.isText(.event, "start"), notification.consumer == .liveActivity else { return }
        let missing = [KnownKey.attributesType, .attributes, .alert].filter { notification[$0] == nil }
        guard !missing.isEmpty else { return }
        findings.report(
            "event is start, but aps has no \(missing.map(\.name).listed("or")), so no Live Activity starts",
            at: notification.place(ofMissingIn: notification.aps ?? .root), missing: missing.map(\.name).listed())
    }
}
