import APNSModel

extension Rule {
    public static let priorityForPushType = Rule(
        id: "priority-for-push-type", severity: .warning, layer: .delivery, stage: .headers,
        pushTypes: [.liveactivity, .location, .pushtotalk, .voip],
        summary:
            "A call and a talk burst are sent with priority 10, a Live Activity and a location query with 10 or 5.",
        rationale: """
            Those are the priorities that Apple documents for these push types. With a lower one the device may be told when nobody \
            rings any more. The priority of a background push has rules of its own.
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
