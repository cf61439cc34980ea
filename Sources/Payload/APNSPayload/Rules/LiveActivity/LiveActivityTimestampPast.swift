import APNSModel
import PayloadJSON

extension Rule {
    public static let liveActivityTimestampPast = Rule(
        id: "liveactivity-timestamp-past", severity: .warning, layer: .device, looksAt: [.timestamp],
        reads: [.timestamp],
        summary: "The `timestamp` of a Live Activity push is a time of this century.",
        rationale: """
            The device ignores an update that is older than the last one, so a timestamp such as 0 works for a new Live \
            Activity at best. Write the present time in seconds since 1970. A time from September 2001 on is not reported: \
            one of Apple's examples has a time of 2007.
            """,
        source: RuleSource.liveActivities,
        passes: [
            Example(#"{"aps":{"timestamp":1767225600,"event":"update","content-state":{}}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":788918400,"event":"update","content-state":{}}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":1168364460,"event":"update","content-state":{}}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":0}}"#, .voip),
        ],
        fails: [
            Example(#"{"aps":{"timestamp":0,"event":"update","content-state":{}}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":1234.5,"event":"end"}}"#),
            Example(#"{"aps":{"timestamp":-1,"event":"end"}}"#, .liveactivity),
        ]
    ) { notification, findings in
        // Seconds since 2001 have a rule of their own.
        guard notification.consumer == .liveActivity, let value = notification[.timestamp],
            let date = notification.document.number(of: value), date < UnixDate.earliestTimestamp,
            !(UnixDate.likelyFrom2001 ~= date)
        else { return }
        findings.report(
            "timestamp is \(notification.shown(value)), a time before there were Live Activities; write the present time in "
                + "seconds since 1970", at: notification.place(ofValue: value))
    }
}
