import APNSModel

extension Rule {
    public static let broadcastPushType = Rule(
        id: "broadcast-push-type", severity: .error, layer: .gateway, refusal: .invalidPushType, stage: .headers,
        summary: "A broadcast has push type liveactivity.",
        rationale: "Channels are for Live Activities only. APNs answers InvalidPushType to another push type.",
        source: RuleSource.sendingBroadcasts,
        passes: [
            Example("{}", .liveactivity, priority: 5, expiration: 0, channelID: "dHN0LXNyY2gtY2hubA=="),
            Example(
                "{}", PushType(rawValue: "Liveactivity"), priority: 5, expiration: 0, channelID: "dHN0LXNyY2gtY2hubA=="),
        ],
        fails: [
            Example(
                #"{"aps":{"alert":"Hi"}}"#, .alert, priority: 10, expiration: 0, channelID: "dHN0LXNyY2gtY2hubA==")
        ]
    ) { notification, findings in
        guard notification.envelope.isBroadcast, let text = notification.text(of: .pushType),
            text.lowercased() != PushType.liveactivity.rawValue
        else { return }
        findings.report(
            "apns-push-type is \(notification.shown(text: text)); a broadcast needs liveactivity",
            at: .header("apns-push-type"))
    }
}
