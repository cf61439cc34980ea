import APNSModel

extension DoctorCheck {
    static let deviceTokenTopic = DoctorCheck(
        id: "device-token-topic", layer: .device,
        summary: "The device token belongs to the topic.",
        cause:
            "The device token is of another app of the team, or of another push type: VoIP, a Live Activity and others have "
            + "their own.",
        next: "store with each device token the bundle id that it came from, and send with that topic",
        subject: { DevicePush.answer(in: $0) }
    ) { push in
        switch push.answer {
        case .none(let why, _), .certificateRefused(let why): return .skip(why)
        case .accepted, .refused(.unregistered, _), .refused(.expiredToken, _), .refused(.tooManyRequests, _):
            return .pass("the device token belongs to \(push.topic)")
        case .refused(.deviceTokenNotForTopic, _): return .fail("the device token does not belong to \(push.topic)")
        case .refused(let reason, _):
            return .skip("\(CredentialAnswer.text(reason)) was answered, which is judged before it")
        }
    }
}
