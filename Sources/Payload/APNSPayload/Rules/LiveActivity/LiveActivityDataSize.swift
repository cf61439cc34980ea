import APNSModel
import PayloadJSON

extension Rule {
    public static let liveActivityDataSize = Rule(
        id: "liveactivity-data-size", severity: .warning, layer: .device, looksAt: [.contentState, .attributes],
        summary: "The content state and attributes of a Live Activity have at most 4 KB together.",
        rationale: """
            The device stores no more for one Live Activity. A push to a device is limited to 4 KB anyway, but a \
            broadcast may have 5120 bytes.
            """,
        source: RuleSource.liveActivities,
        passes: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{"score":3}}}"#, .liveactivity,
                priority: 5, expiration: 0, channelID: "dHN0LXNyY2gtY2hubA==")
        ],
        fails: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"update","content-state":{"text":""#
                    + String(repeating: "x", count: 4200) + #""}}}"#, .liveactivity, priority: 5, expiration: 0,
                channelID: "dHN0LXNyY2gtY2hubA==")
        ]
    ) { notification, findings in
        guard notification.envelope.payload.count > 4096 else { return }
        var bytes = 0
        for value in [notification[.contentState], notification[.attributes]].compactMap({ $0 }) {
            let range = notification.document.range(of: value)
            bytes += CompactJSON.compact(notification.document.bytes, in: range).bytes.count
        }
        guard bytes > 4096, let first = notification[.contentState] ?? notification[.attributes] else { return }
        findings.report(
            "content-state and attributes have \(bytes) bytes together; a Live Activity may have 4096",
            at: notification.place(ofKeyOf: first))
    }
}
