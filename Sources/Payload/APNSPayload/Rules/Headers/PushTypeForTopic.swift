import APNSModel

extension Rule {
    public static let pushTypeForTopic = Rule(
        id: "push-type-for-topic", severity: .error, layer: .gateway, refusal: .invalidPushType, stage: .headers,
        summary: "A topic with a suffix is used with the push type of that suffix only.",
        rationale: """
            A topic such as `com.example.agent.voip` belongs to one push type. APNs answers InvalidPushType to another \
            one, and accepts a notification without a push type.
            """,
        source: RuleSource.handlingResponses,
        passes: [
            Example("{}", .voip, topic: "com.example.agent.voip"), Example("{}", topic: "com.example.agent.voip"),
            Example("{}", .pushtotalk, topic: "com.example.agent.voip-ptt"),
            Example(#"{"aps":{"alert":"Hi"}}"#, .alert, topic: "com.example.agent"),
        ],
        fails: [
            Example(#"{"aps":{"alert":"Hi"}}"#, .alert, topic: "com.example.agent.voip"),
            Example("{}", .voip, topic: "com.example.agent.voip-ptt"),
            Example(
                #"{"aps":{"content-available":1}}"#, .background, priority: 5,
                topic: "com.example.agent.push-type.widgets"),
        ]
    ) { notification, findings in
        guard let pushType = notification.pushType, let wanted = pushType.topicSuffix,
            !notification.envelope.isBroadcast, let suffix = notification.topicSuffix, !suffix.isEmpty,
            suffix != wanted, let topic = notification.text(of: .topic)
        else { return }
        let owner = PushType.facts.first { $0.topicSuffix == suffix }?.type
        let bundleID = String(topic.dropLast(suffix.count))
        findings.report(
            "apns-push-type is \(pushType), but topics ending with \(suffix) are for \(owner?.rawValue ?? "others"); "
                + "the topic for \(pushType) is \(notification.shown(text: bundleID + wanted))",
            at: .header("apns-push-type"))
    }
}
