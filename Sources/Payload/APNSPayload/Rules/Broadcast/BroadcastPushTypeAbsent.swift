import APNSModel

extension Rule {
    public static let broadcastPushTypeAbsent = Rule(
        id: "broadcast-push-type-absent", severity: .error, layer: .gateway, refusal: .missingPushType, stage: .headers,
        pushTypes: .absent, summary: "A broadcast has a push type.",
        rationale: "APNs can infer the push type for a device token. For a channel it answers MissingPushType.",
        source: RuleSource.sendingBroadcasts,
        passes: [
            Example("{}", .liveactivity, priority: 5, expiration: 0, channelID: "dHN0LXNyY2gtY2hubA=="),
            Example("{}", priority: 5, token: "ab12"),
        ],
        fails: [Example("{}", priority: 5, expiration: 0, channelID: "dHN0LXNyY2gtY2hubA==")]
    ) { notification, findings in
        guard notification.envelope.isBroadcast, notification.envelope.hasKnownHeaders else { return }
        findings.report(
            "there is no apns-push-type; a broadcast needs liveactivity", at: .header("apns-push-type"))
    }
}
