import APNSModel

extension Rule {
    public static let topicLength = Rule(
        id: "topic-length", severity: .warning, layer: .gateway, stage: .headers,
        summary: "A topic has at most 255 bytes.",
        rationale: """
            No bundle id is that long, so a longer topic is a mistake. Apple does not document the limit of APNs; this \
            package does not send a longer topic.
            """,
        source: RuleSource.sendingRequests,
        passes: [Example("{}", .alert, topic: String(repeating: "a", count: 255))],
        fails: [Example("{}", .alert, topic: String(repeating: "a", count: 256))]
    ) { notification, findings in
        guard let count = notification.envelope.topic?.utf8.count, count > 255 else { return }
        findings.report("\(notification.nameOfTopic) has \(count) bytes; it may have 255", at: .header("apns-topic"))
    }
}
