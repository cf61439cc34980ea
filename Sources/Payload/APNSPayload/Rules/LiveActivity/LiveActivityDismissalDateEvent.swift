import APNSModel
import PayloadJSON

extension Rule {
    public static let liveActivityDismissalDateEvent = Rule(
        id: "liveactivity-dismissal-date-event", severity: .warning, layer: .device, looksAt: [.dismissalDate],
        summary: "A `dismissal-date` is in a push that ends a Live Activity.",
        rationale: """
            It is the time when an ended Live Activity leaves the lock screen. A running one has no dismissal date.
            """,
        source: RuleSource.liveActivities,
        passes: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"end","content-state":{},"dismissal-date":1767229200}}"#,
                .liveactivity)
        ],
        fails: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"dismissal-date":1767229200}}"#,
                .liveactivity)
        ]
    ) { notification, findings in
        guard let date = notification[.dismissalDate], let event = notification[.event],
            notification.isText(.event, "start") || notification.isText(.event, "update"),
            notification.consumer == .liveActivity
        else { return }
        findings.report(
            "event is \(notification.shown(event)), where the device ignores dismissal-date; it belongs to end",
            at: notification.place(ofKeyOf: date))
    }
}
