import APNSModel
import PayloadJSON

extension Rule {
    public static let liveActivityStaleDatePast = Rule(
        id: "liveactivity-stale-date-past", severity: .note, layer: .device, looksAt: [.staleDate],
        summary: "A `stale-date` is later than the `timestamp`.",
        rationale: """
            From the stale date on the content counts as out of date. This content is out of date from the beginning.
            """,
        source: RuleSource.liveActivities,
        passes: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"stale-date":1767229200}}"#,
                .liveactivity)
        ],
        fails: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"stale-date":1767222000}}"#,
                .liveactivity)
        ]
    ) { notification, findings in
        guard let value = notification[.staleDate], let date = notification.number(.staleDate),
            let now = notification.number(.timestamp), date <= now, now < UnixDate.firstMilliseconds,
            notification.consumer == .liveActivity
        else { return }
        findings.report(
            "stale-date is not later than timestamp, so the content is out of date when it arrives",
            at: notification.place(ofValue: value))
    }
}
