import APNSModel

extension Rule {
    public static let broadcastHeaders = Rule(
        id: "broadcast-headers", severity: .warning, layer: .gateway, stage: .headers,
        summary: "A broadcast says its priority and its expiration.",
        rationale: """
            No default is documented for either. A channel that stores nothing takes no expiration but 0 and answers \
            BadExpirationDate to others; one that stores the newest message keeps it for 8 hours at most.
            """,
        source: RuleSource.sendingBroadcasts,
        passes: [
            Example("{}", .liveactivity, priority: 5, expiration: 0, channelID: "dHN0LXNyY2gtY2hubA=="),
            Example("{}", .liveactivity, token: "ab12"),
        ],
        fails: [
            Example("{}", .liveactivity, expiration: 0, channelID: "dHN0LXNyY2gtY2hubA=="),
            Example("{}", .liveactivity, priority: 5, channelID: "dHN0LXNyY2gtY2hubA=="),
            Example("{}", .liveactivity, channelID: "dHN0LXNyY2gtY2hubA=="),
        ]
    ) { notification, findings in
        guard notification.envelope.isBroadcast, notification.envelope.hasKnownHeaders else { return }
        let absent = [
            notification.envelope.priority == nil ? "apns-priority" : nil,
            notification.envelope.expiration == nil ? "apns-expiration" : nil,
        ].compactMap { $0 }
        guard let first = absent.first else { return }
        findings.report(
            "there is no \(absent.joined(separator: " and no ")); a broadcast has no default for it", at: .header(first)
        )
    }
}
