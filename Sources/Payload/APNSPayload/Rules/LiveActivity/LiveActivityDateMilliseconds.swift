import APNSModel
import PayloadJSON

extension Rule {
    public static let liveActivityDateMilliseconds = Rule(
        id: "liveactivity-date-milliseconds", severity: .error, layer: .device, looksAt: dateKeys,
        summary: "`timestamp`, `stale-date` and `dismissal-date` are in seconds.",
        rationale: """
            They are seconds since 1970. In milliseconds a date is thousands of years ahead, so the device ignores \
            this update or all later ones, and the Live Activity never becomes stale.
            """,
        source: RuleSource.liveActivities,
        passes: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{"at":1767225600000}}}"#,
                .liveactivity),
            Example(#"{"aps":{"timestamp":1767225600.5,"event":"update","content-state":{}}}"#, .liveactivity),
        ],
        fails: [
            Example(
                #"{"aps":{"timestamp":1767225600000,"event":"update","content-state":{}}}"#, .liveactivity,
                fixed: #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{}}}"#),
            Example(#"{"aps":{"timestamp":1767225600123,"event":"update","content-state":{}}}"#),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"end","content-state":{},"dismissal-date":1767229200000}}"#,
                .liveactivity,
                fixed: #"{"aps":{"timestamp":1767225600,"event":"end","content-state":{},"dismissal-date":1767229200}}"#
            ),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"stale-date":1.7672292e12}}"#,
                .liveactivity),
        ]
    ) { notification, findings in
        guard notification.consumer == .liveActivity else { return }
        for key in [KnownKey.timestamp, .staleDate, .dismissalDate] {
            guard let value = notification[key], let date = notification.document.number(of: value),
                date >= UnixDate.firstMilliseconds
            else { continue }
            let text = notification.document.source(of: value)
            let isExact =
                text.utf8.count == 13 && text.hasSuffix("000") && notification.document.integer(of: value) != nil
            let seconds = String(text.dropLast(3))
            findings.report(
                "\(key.name) is \(notification.shown(value)), which looks like milliseconds; the device reads it as "
                    + "seconds since 1970" + (isExact ? ", so write \(seconds)" : ""),
                at: notification.place(ofValue: value),
                fix: isExact
                    ? Fix("write the date in seconds", [Fix.Edit(notification.document.range(of: value), seconds)])
                    : nil)
        }
    }

    private static let dateKeys: KeySet = [.timestamp, .staleDate, .dismissalDate]
}
