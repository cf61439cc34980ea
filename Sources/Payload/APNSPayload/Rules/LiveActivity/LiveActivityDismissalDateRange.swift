import APNSModel
import PayloadJSON

extension Rule {
    public static let liveActivityDismissalDateRange = Rule(
        id: "liveactivity-dismissal-date-range", severity: .warning, layer: .device, looksAt: [.dismissalDate],
        summary: "A `dismissal-date` is at most four hours after the end of the Live Activity.",
        rationale: """
            The system takes an ended Live Activity away after four hours, whatever the date says. One in the past takes \
            it away at once.
            """,
        source: RuleSource.liveActivities,
        passes: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"end","content-state":{},"dismissal-date":1767240000}}"#,
                .liveactivity),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"end","content-state":{},"dismissal-date":0}}"#, .liveactivity),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"end","content-state":{},"dismissal-date":1767240000000}}"#,
                .liveactivity),
        ],
        fails: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"end","content-state":{},"dismissal-date":1767312000}}"#,
                .liveactivity)
        ]
    ) { notification, findings in
        guard let value = notification[.dismissalDate], let date = notification.number(.dismissalDate),
            let end = notification.number(.timestamp), date > end + fourHours, date < end + oneYear,
            end >= 0, notification.isText(.event, "end"), notification.consumer == .liveActivity
        else { return }
        findings.report(
            "dismissal-date is \(UnixDate.inHours(date - end)) after timestamp; the device takes the Live Activity away "
                + "4 hours after its end", at: notification.place(ofValue: value))
    }

    private static let fourHours = 4.0 * 3600

    /// Dates further apart than this are not both meant as dates.
    private static let oneYear = 365.0 * 86400
}
