import APNSModel
import PayloadJSON

extension Rule {
    public static let liveActivityStartOnlyKey = Rule(
        id: "liveactivity-start-only-key", severity: .warning, layer: .device, looksAt: startKeys,
        summary: "Attributes and the request for a token or channel are only in a push that starts a Live Activity.",
        rationale: """
            The fixed content of a Live Activity is sent once, when it starts. In an update or an end these keys have \
            no effect and only use space.
            """,
        source: RuleSource.liveActivities,
        passes: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"start","content-state":{},"attributes-type":"Visit","#
                    + #""attributes":{},"input-push-token":1,"alert":{"title":"Hi","body":"You"}}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":1767225600,"event":"update","content-state":{}}}"#, .liveactivity),
        ],
        fails: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"attributes-type":"Visit","#
                    + #""attributes":{}}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":1767225600,"event":"end","content-state":{},"input-push-token":1}}"#),
        ]
    ) { notification, findings in
        guard notification.consumer == .liveActivity,
            notification.isText(.event, "update") || notification.isText(.event, "end")
        else { return }
        let superfluous = notification.keys.common(with: startKeys).filter { notification[$0] != nil }
        guard let first = superfluous.first.flatMap({ notification[$0] }), let event = notification[.event] else {
            return
        }
        findings.report(
            "event is \(notification.shown(event)), where the device ignores \(superfluous.map(\.name).listed()); "
                + "they belong to start", at: notification.place(ofKeyOf: first))
    }

    private static let startKeys: KeySet = [.attributesType, .attributes, .inputPushToken, .inputPushChannel]
}
