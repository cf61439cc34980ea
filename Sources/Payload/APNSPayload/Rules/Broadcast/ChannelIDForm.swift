import APNSModel

extension Rule {
    public static let channelIDForm = Rule(
        id: "channel-id-form", severity: .error, layer: .gateway, refusal: .badChannelID, stage: .headers,
        summary: "A channel id is base64.",
        rationale: """
            APNs creates the id together with the channel and answers BadChannelId to a value that is not base64. Send \
            the id unchanged, with its padding.
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
        guard let text = notification.text(of: .channelID), !Base64.isPadded(text) else { return }
        let meant = text.trimmed()
        findings.report(
            "apns-channel-id is \(notification.shown(text: text)); it must be base64, as APNs returned it",
            at: .header("apns-channel-id"), correction: Base64.isPadded(meant) ? meant : nil)
    }
}
