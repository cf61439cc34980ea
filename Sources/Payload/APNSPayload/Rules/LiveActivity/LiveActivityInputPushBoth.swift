import APNSModel
import PayloadJSON

extension Rule {
    public static let liveActivityInputPushBoth = Rule(
        id: "liveactivity-input-push-both", severity: .error, layer: .device,
        looksAt: [.inputPushToken], reads: [],
        summary: "A Live Activity is updated by device token or by channel, not by both.",
        rationale: """
            `input-push-token` and `input-push-channel` exclude each other. iOS logs an error about two forms of input \
            and does not start the Live Activity.
            """,
        source: RuleSource.broadcasts,
        passes: [
            Example(startPayload(#""input-push-token":1"#), .liveactivity),
            Example(startPayload(#""input-push-channel":"dHN0LXNyY2gtY2hubA==""#), .liveactivity),
        ],
        fails: [
            Example(startPayload(#""input-push-token":1,"input-push-channel":"dHN0LXNyY2gtY2hubA==""#), .liveactivity)
        ]
    ) { notification, findings in
        guard notification[.inputPushToken] != nil, let channel = notification[.inputPushChannel],
            notification.consumer == .liveActivity
        else { return }
        findings.report(
            "aps has both input-push-token and input-push-channel, so no Live Activity starts; keep one of them",
            at: notification.place(ofKeyOf: channel))
    }

    /// A payload that starts a Live Activity, with more members of `aps`.
    static func startPayload(_ members: String) -> String {
        #"{"aps":{"timestamp":1767225600,"event":"start","content-state":{},"attributes-type":"Visit","attributes":{},"#
            + #""alert":{"title":"Hi","body":"You"},"# + members + "}}"
    }
}
