import APNSModel

extension Rule {
    public static let topicSuffix = Rule(
        id: "topic-suffix", severity: .error, layer: .gateway, refusal: .deviceTokenNotForTopic, stage: .headers,
        pushTypes: [
            .alert, .background, .complication, .controls, .fileprovider, .liveactivity, .location, .pushtotalk, .voip,
            .widgets,
        ],
        summary: "The topic ends with the suffix of its push type.",
        rationale: """
            Push types other than alert, background and mdm have separate device tokens, which belong to the bundle id \
            with a suffix, such as `com.example.agent.voip`. APNs answers DeviceTokenNotForTopic to the bundle id \
            alone. The topic of alert and background is the bundle id, and an invented suffix after `.push-type.` makes \
            it another one.
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
            Example(#"{"aps":{"alert":"Hi"}}"#, .alert, topic: "com.example.agent.push-type.alert"),
        ]
    ) { notification, findings in
        guard let pushType = notification.pushType, let wanted = pushType.topicSuffix,
            !notification.envelope.isBroadcast, let topic = notification.text(of: .topic), !topic.isEmpty,
            notification.topicSuffix == ""
        else { return }
        guard !wanted.isEmpty else {
            guard pushType != .mdm, let bundleID = bundleID(beforeInventedSuffix: topic) else { return }
            findings.report(
                "apns-topic is \(notification.shown(text: topic)), and there is no such suffix; the topic for \(pushType) is "
                    + notification.shown(text: bundleID), at: .header("apns-topic"))
            return
        }
        findings.report(
            "apns-topic is \(notification.shown(text: topic)); for push type \(pushType) it must end with \(wanted)",
            at: .header("apns-topic"))
    }

    /// The part before `.push-type.` and a push type at the end of a topic; nil for any other topic, which can be a bundle id.
    private static func bundleID(beforeInventedSuffix topic: String) -> String? {
        // Most topics have no hyphen, and looking for one byte is quick.
        guard topic.utf8.contains(UInt8(ascii: "-")), let dot = topic.lastIndex(of: "."),
            topic[..<dot].hasSuffix(".push-type"),
            PushType.known.contains(where: { $0.rawValue == topic[topic.index(after: dot)...] })
        else { return nil }
        let bundleID = topic[..<dot].dropLast(".push-type".count)
        return bundleID.isEmpty ? nil : String(bundleID)
    }
}
