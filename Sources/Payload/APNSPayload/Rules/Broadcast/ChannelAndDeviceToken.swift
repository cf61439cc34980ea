import APNSModel

extension Rule {
    public static let channelAndDeviceToken = Rule(
        id: "channel-and-device-token", severity: .warning, layer: .delivery, stage: .headers,
        summary: "A notification goes either to a device or to a channel.",
        rationale: """
            A broadcast names a channel with `apns-channel-id` and has no device token. A request for a device does \
            not use that header.
            """,
        source: RuleSource.sendingBroadcasts,
        passes: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"end"}}"#, .liveactivity, priority: 10, expiration: 0,
                channelID: "dHN0LXNyY2gtY2hubA=="),
            Example("{}", .alert, token: "ab12"),
        ],
        fails: [
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"end"}}"#, .liveactivity, priority: 10, token: "ab12",
                channelID: "dHN0LXNyY2gtY2hubA==")
        ]
    ) { notification, findings in
        guard notification.envelope.channelID != nil, notification.envelope.token != nil else { return }
        findings.report(
            "there is a device token and apns-channel-id; remove the token for a broadcast, or the header for a device",
            at: .header("apns-channel-id"))
    }
}
