import APNSModel

extension Rule {
    public static let channelIDForm = Rule(
        id: "channel-id-form", severity: .error, layer: .gateway, refusal: .badChannelID, stage: .headers,
        summary: "A channel id is base64.",
        rationale: """
            APNs makes the id when the channel is created and answers BadChannelId to a text that is not base64. Send it as it \
            came, with its padding.
            """,
        source: RuleSource.sendingBroadcasts,
        passes: [
            Example("{}", .liveactivity, priority: 5, expiration: 0, channelID: "dHN0LXNyY2gtY2hubA=="),
            Example("{}", .liveactivity),
        ],
        fails: [
            Example("{}", .liveactivity, priority: 5, expiration: 0, channelID: "match-2026"),
            Example("{}", .liveactivity, priority: 5, expiration: 0, channelID: "dHN0LXNyY2gtY2hubA"),
            Example("{}", .liveactivity, priority: 5, expiration: 0, channelID: ""),
        ]
    ) { notification, findings in
        guard let text = notification.text(of: .channelID), !PaddedBase64.isBase64(text) else { return }
        findings.report(
            "apns-channel-id is \(notification.shown(text: text)); it must be base64, as it came when the channel was created",
            at: .header("apns-channel-id"))
    }
}
