import APNSModel

extension DoctorCheck {
    static let topicForm = DoctorCheck(
        id: "topic-form", layer: .topic,
        summary: "The topic is a bundle id, with the suffix of a push type where that needs one.",
        cause: "The App ID with the team in front of it, a name, or a URL was taken for the bundle id.",
        next:
            "give the bundle id of the app as --topic or APNS_TOPIC; it is in Xcode, and in the Info.plist of the app",
        subject: { evidence in
            evidence.topic.map { (text: $0, teamID: evidence.key.value?.teamID) }
        }
    ) { text, teamID in
        let topic: Topic
        do throws(APNSValueError) {
            topic = try Topic(parsing: text)
        } catch {
            return .fail(error.detail)
        }
        let first = topic.value.split(separator: ".", maxSplits: 1).first.map(String.init) ?? ""
        if first == teamID
            || first.utf8.count == 10
                && first.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) })
        {
            return .fail(
                "the topic \(topic) begins with a team id: it is an App ID, and the topic is the bundle id behind the first dot"
            )
        }
        guard topic.value.contains(".") else {
            return .warn("the topic \(topic) has no dot, which hardly any bundle id lacks")
        }
        return .pass(
            topic.suffix.isEmpty
                ? "the topic is \(topic)"
                : "the topic is \(topic), for the push type \(topic.pushTypes.map(\.rawValue).joined(separator: " or "))"
        )
    }
}
