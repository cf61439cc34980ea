import APNSModel

extension Rule {
    public static let broadcastHeaders = Rule(
        id: "broadcast-headers", severity: .warning, layer: .gateway, stage: .headers,
        summary: "A broadcast has a priority and an expiration.",
        rationale: """
            No default is documented for either. A channel without storage accepts expiration 0 only and answers \
            BadExpirationDate to others. A channel that stores the newest message keeps it for up to 8 hours.
            """,
        source: RuleSource.sendingBroadcasts,
        passes: [
            Example("{}", .liveactivity, priority: 5, expiration: 0, channelID: "dHN0LXNyY2gtY2hubA=="),
            Example("{}", .liveactivity, token: "ab12"),
        ],
        fails: [
            Example("{}", .liveactivity, expiration: 0, channelID: "dHN0LXNyY2gtY2hubA=="),
            Example("{}", .liveactivity, priority: 5, channelID: "dHN0LXNyY2gtY2hubA=="),
        ]
    ) { notification, findings in
        guard notification.envelope.isBroadcast, notification.envelope.hasKnownHeaders else { return }
        let absent = [
            notification.envelope.priority == nil ? "apns-priority" : nil,
            notification.envelope.expiration == nil ? "apns-expiration" : nil,
        ].compactMap { $0 }
        for header in absent {
            findings.report("there is no \(header); a broadcast has no default for it", at: .header(header))
        }
    }
}
