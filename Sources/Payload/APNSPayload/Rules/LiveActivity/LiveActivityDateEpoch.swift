import APNSModel
import PayloadJSON

extension Rule {
    public static let liveActivityDateEpoch = Rule(
        id: "liveactivity-date-epoch", severity: .warning, layer: .device, looksAt: [.timestamp, .staleDate],
        summary: "`timestamp` and `stale-date` are in seconds since 1970.",
        rationale: """
            Foundation encodes dates, also those in `content-state`, as seconds since 2001. The dates beside it are \
            seconds since 1970. A timestamp in seconds since 2001 is 31 years old, so the device ignores the update as \
            out of date. After one of the next century it ignores every later update.
            """,
        source: RuleSource.liveActivities,
        passes: [
            Example(#"{"aps":{"timestamp":1767225600,"event":"update","content-state":{}}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":1234,"event":"update","content-state":{}}}"#, .liveactivity),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{"at":788918400}}}"#, .liveactivity),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"stale-date":9999999999}}"#,
                .liveactivity),
        ],
        fails: [
            Example(#"{"aps":{"timestamp":788918400,"event":"update","content-state":{}}}"#, .liveactivity),
            Example(#"{"aps":{"timestamp":17672256000,"event":"update","content-state":{}}}"#, .liveactivity),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{},"stale-date":788922000.5}}"#,
                .liveactivity),
        ]
    ) { notification, findings in
        guard notification.consumer == .liveActivity else { return }
        for key in [KnownKey.timestamp, .staleDate] {
            guard let value = notification[key], let date = notification.document.number(of: value) else {
                continue
            }
            if key == .timestamp, UnixDate.afterThisCentury ~= date {
                findings.report(
                    "timestamp is \(notification.shown(value)), a time after this century, so the device ignores every later "
                        + "update; write the present time in seconds since 1970", at: notification.place(ofValue: value)
                )
            }
            guard UnixDate.likelyFrom2001 ~= date else { continue }
            let shifted = Int64(date) + UnixDate.startOf2001
            findings.report(
                "\(key.name) is \(notification.shown(value)), which as seconds since 1970 is before 2005; counted from 2001 "
                    + "it would be \(shifted)", at: notification.place(ofValue: value))
        }
    }
}
