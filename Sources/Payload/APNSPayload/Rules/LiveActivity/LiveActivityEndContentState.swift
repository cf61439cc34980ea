import APNSModel
import PayloadJSON

extension Rule {
    public static let liveActivityEndContentState = Rule(
        id: "liveactivity-end-content-state", severity: .note, layer: .device, looksAt: [.event],
        summary: "A push that ends a Live Activity says how it ended.",
        rationale: """
            The Live Activity stays on the lock screen for up to four hours after its end. Apple advises a last \
            `content-state`; without one it goes on showing the one before.
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
        guard notification.isText(.event, "end"), let event = notification[.event], notification[.contentState] == nil,
            notification.consumer == .liveActivity
        else { return }
        // Removed at once, nobody sees how it ended.
        if let dismissal = notification.number(.dismissalDate), let now = notification.number(.timestamp),
            dismissal <= now
        {
            return
        }
        findings.report(
            "event is end and there is no content-state, so the Live Activity goes on showing the last one",
            at: notification.place(ofValue: event))
    }
}
