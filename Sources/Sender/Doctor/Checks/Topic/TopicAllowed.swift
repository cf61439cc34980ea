import APNSModel

extension DoctorCheck {
    static let topicAllowed = DoctorCheck(
        id: "topic-allowed", layer: .topic,
        summary:
            "The credentials may push to the topic; seen only with --token, because APNs judges the device token first.",
        cause: "The app is of another team, lacks the push capability, or the key is limited to other topics.",
        next:
            "look in the developer account whether the app id is of this team, has Push Notifications, and is among the topics "
            + "of a topic-specific key",
        subject: { DevicePush.answer(in: $0) }
    ) { push in
        if let why = push.answer.silence { return .skip(why) }
        guard let reason = push.answer.reason else {
            return .pass("\(push.destination.name) accepted a push to the topic")
        }
        switch reason {
        case .topicDisallowed:
            return .fail(
                "\(push.destination.name) answered \(CredentialAnswer.text(reason)): these credentials may not push to \(push.topic)"
            )
        case .badTopic, .missingTopic:
            return .fail("\(push.destination.name) answered \(CredentialAnswer.text(reason))")
        case .invalidProviderToken, .forbidden:
            // The same credentials were accepted for the impossible device token.
            return .fail(
                "\(push.destination.name) answered \(CredentialAnswer.text(reason)) for \(push.topic) alone: these credentials may not "
                    + "push to it")
        case .deviceTokenNotForTopic, .unregistered, .expiredToken, .tooManyRequests:
            return .pass("\(push.destination.name) allows the topic: it judged the device token for it")
        case .badDeviceToken:
            return .skip("\(push.destination.name) does not know the device token, and judges it before the topic")
        default:
            return .skip(
                "\(push.destination.name) answered \(CredentialAnswer.text(reason)), which says nothing about the topic"
            )
        }
    }
}

/// The push to the device token that was given, and its answer.
struct DevicePush: Sendable {
    var answer: PushAnswer
    /// What the other environment answered, where it was asked because this one does not know the device token.
    var other: PushAnswer?
    var destination: Destination
    var topic: String

    static func answer(in evidence: DoctorEvidence) -> Observation<DevicePush> {
        evidence.deviceToken.flatMap { _ in
            if let why = evidence.deviceNotAsked { return .unseen(why) }
            return evidence.connection.flatMap { connection in
                guard let answer = connection.device else {
                    return .unseen("no push was sent to the device token; the checks of the layers above say why")
                }
                return .seen(
                    DevicePush(
                        answer: answer, other: evidence.other.value?.device, destination: connection.destination,
                        topic: evidence.topic.value.map { ShownText.quoted($0, to: 80) } ?? "the topic"))
            }
        }
    }
}
