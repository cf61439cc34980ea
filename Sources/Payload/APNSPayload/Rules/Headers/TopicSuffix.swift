import APNSModel

extension Rule {
    public static let topicSuffix = Rule(
        id: "topic-suffix", severity: .error, layer: .gateway, refusal: .deviceTokenNotForTopic, stage: .headers,
        pushTypes: [.complication, .controls, .fileprovider, .liveactivity, .location, .pushtotalk, .voip, .widgets],
        summary: "The topic ends with the suffix of its push type.",
        rationale: """
            Push types other than alert, background and mdm have separate device tokens, which belong to the bundle id \
            with a suffix, such as `com.example.agent.voip`. APNs answers DeviceTokenNotForTopic to the bundle id \
            alone.
            """,
        source: RuleSource.sendingRequests,
        passes: [
            Example("{}", .voip, topic: "com.example.agent.voip"), Example("{}", .alert, topic: "com.example.agent"),
            Example(#"{"aps":{}}"#, .location, topic: "com.example.agent.location-query"), Example("{}", .voip),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"end"}}"#, .liveactivity,
                topic: "com.example.agent.push-type.liveactivity"),
        ],
        fails: [
            Example("{}", .voip, topic: "com.example.agent"), Example("{}", .voip, topic: "voip"),
            Example(
                #"{"aps":{"timestamp":1767225600,"event":"end"}}"#, .liveactivity,
                topic: "com.example.agent.pushnotification.liveactivity"),
        ]
    ) { notification, findings in
        guard let pushType = notification.pushType, let wanted = pushType.topicSuffix, !wanted.isEmpty,
            !notification.envelope.isBroadcast, let topic = notification.text(of: .topic), !topic.isEmpty,
            notification.topicSuffix == ""
        else { return }
        findings.report(
            "apns-topic is \(notification.shown(text: topic)); for push type \(pushType) it must end with \(wanted)",
            at: .header("apns-topic"))
    }
}
