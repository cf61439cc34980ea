import APNSModel

extension DoctorCheck {
    static let deviceTokenKnown = DoctorCheck(
        id: "device-token-known", layer: .device,
        summary: "The destination knows the device token: it is of this environment.",
        cause:
            "An app that Xcode installed has a device token of the sandbox; from TestFlight and the App Store it is one of "
            + "production.",
        next: "store with each device token which environment it is of, and send to that one",
        subject: { DevicePush.answer(in: $0) }
    ) { push in
        if let why = push.answer.silence { return .skip(why) }
        guard let reason = push.answer.reason else { return .pass("\(push.destination.name) knows the device token") }
        switch reason {
        case .badDeviceToken:
            let other = push.destination.environment.map { "Apple's \($0.other.rawValue)" } ?? "the other environment"
            switch push.other {
            case .accepted?, .refused(.unregistered, _)?, .refused(.expiredToken, _)?,
                .refused(.deviceTokenNotForTopic, _)?,
                .refused(.topicDisallowed, _)?, .refused(.tooManyRequests, _)?:
                return .fail(
                    "\(push.destination.name) does not know the device token, and \(other) does",
                    next: "send to \(other)")
            case .refused(.badDeviceToken, _)?:
                return .fail(
                    "neither \(push.destination.name) nor \(other) knows the device token",
                    next:
                        "take the device token from the app again: it changes when the app is installed anew or the device is restored"
                )
            default: return .fail("\(push.destination.name) does not know the device token (BadDeviceToken)")
            }
        case .deviceTokenNotForTopic, .unregistered, .expiredToken, .topicDisallowed, .tooManyRequests:
            return .pass("\(push.destination.name) knows the device token")
        default:
            return .skip(
                "\(push.destination.name) answered \(CredentialAnswer.text(reason)), which says nothing about the device token"
            )
        }
    }
}
