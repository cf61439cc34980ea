import APNSModel
import PayloadJSON

extension Rule {
    public static let liveActivityEndContentState = Rule(
        id: "liveactivity-end-content-state", severity: .note, layer: .device, looksAt: [.event],
        summary: "A push that ends a Live Activity has a final `content-state`.",
        rationale: """
            The Live Activity stays on the lock screen for up to four hours after its end. Apple recommends a final \
            `content-state`; without one it keeps showing the previous state.
            """,
        source: RuleSource.liveActivities,
        passes: [
            Example(#"{"aps":{"timestamp":1767225600,"event":"end","content-state":{"score":4}}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":1767225600,"event":"end","dismissal-date":1767225600}}"#, .liveactivity),
        ],
        fails: [
            Example(#"{"aps":{"timestamp":1767225600,"event":"end"}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":1767225600,"event":"end","dismissal-date":1767229200}}"#),
        ]
    ) { notification, findings in
        guard notification.isText(.event, "end"), notification[.contentState] == nil,
            notification.consumer == .liveActivity
        else { return }
        // If it is removed at once, the final state is not visible.
        if let dismissal = notification.number(.dismissalDate), let now = notification.number(.timestamp),
            dismissal <= now
        {
            return
        }
        findings.report(
            "event is end and there is no content-state, so the Live Activity keeps showing the previous one",
            at: notification.place(ofMissingIn: notification.aps ?? .root), missing: KnownKey.contentState.name)
    }
}
