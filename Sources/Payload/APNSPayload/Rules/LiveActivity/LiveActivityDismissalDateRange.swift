import APNSModel
import PayloadJSON

extension Rule {
    public static let liveActivityDismissalDateRange = Rule(
        id: "liveactivity-dismissal-date-range", severity: .warning, layer: .device, looksAt: [.dismissalDate],
        summary: "A `dismissal-date` is at most four hours after the end of the Live Activity.",
        rationale: """
            The system removes an ended Live Activity after four hours, whatever the date is. A date in the past \
            removes it at once.
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
            "dismissal-date is \(UnixDate.inHours(date - end)) after timestamp; the device removes the Live Activity "
                + "4 hours after its end", at: notification.place(ofValue: value))
    }

    private static let fourHours = 4.0 * 3600

    /// If the dates are further apart than this, one of them is probably not in seconds.
    private static let oneYear = 365.0 * 86400
}
