import APNSModel

extension Rule {
    public static let priorityForPushType = Rule(
        id: "priority-for-push-type", severity: .warning, layer: .delivery, stage: .headers,
        pushTypes: [.liveactivity, .location, .pushtotalk, .voip],
        summary: "VoIP and Push to Talk pushes have priority 10; Live Activity and location pushes have 10 or 5.",
        rationale: """
            Apple documents these priorities for these push types. With a lower priority, a call can arrive after the \
            caller has hung up. Other rules check the priority of a background push.
            """,
        source: RuleSource.sendingRequests,
        passes: [
            Example("{}", .voip, priority: 10), Example("{}", .voip), Example(#"{"aps":{}}"#, .location, priority: 5),
            Example("{}", .alert, priority: 1), Example("{}", .complication, priority: 1),
        ],
        fails: [
            Example("{}", .voip, priority: 5), Example(#"{"aps":{}}"#, .pushtotalk, priority: 1),
            Example(#"{"aps":{}}"#, .location, priority: 1),
            Example(#"{"aps":{"timestamp":1767225600,"event":"end"}}"#, .liveactivity, priority: 1),
        ]
    ) { notification, findings in
        guard let pushType = notification.pushType, !notification.envelope.isBroadcast,
            let priority = notification.envelope.priority, priority == "5" || priority == "1"
        else { return }
        let takesFive = pushType == .liveactivity || pushType == .location
        guard priority == "1" || !takesFive else { return }
        findings.report(
            "apns-priority is \(priority); push type \(pushType) is documented with \(takesFive ? "10 and 5" : "10")",
            at: .header("apns-priority"))
    }
}
