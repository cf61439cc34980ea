import APNSModel

extension DoctorCheck {
    static let pushAccepted = DoctorCheck(
        id: "push-accepted", layer: .device,
        summary: "The destination accepts a silent push to the device token.",
        cause: "One of the checks above failed.",
        next: "correct what the checks above say",
        subject: { DevicePush.answer(in: $0) }
    ) { push in
        switch push.answer {
        case .accepted:
            return .pass(
                "\(push.destination.name) accepted a silent push; that it was delivered cannot be seen from here")
        case .refused(.tooManyRequests, _):
            return .warn(
                "\(push.destination.name) refuses more pushes to this device token for now",
                next: "send less often to one device")
        case .refused(let reason, _) where reason.status >= 500:
            return .warn(
                "\(push.destination.name) answered \(CredentialAnswer.text(reason))", next: "try again in 15 minutes")
        case .refused(let reason, _): return .fail("\(push.destination.name) answered \(CredentialAnswer.text(reason))")
        case .none(let why, _), .certificateRefused(let why):
            return .fail("no answer came to a silent push: \(why)", next: "look at http2 and at the network")
        }
    }
}
