import APNSModel

extension DoctorCheck {
    static let pushAccepted = DoctorCheck(
        id: "push-accepted", layer: .device,
        summary: "The destination accepts a silent push to the device token.",
        cause: "One of the checks above failed.",
        next: "correct what the checks above say",
        subject: { AcceptanceQuestion.asked(in: $0) }
    ) { question in
        let push: DevicePush
        switch question {
        case .pushed(let sent): push = sent
        case .unsent(let why):
            return .fail(
                "no push was sent to the device token, because the one before it, to a device token that cannot exist, "
                    + "was not judged: \(why)",
                next: "try again in some minutes; if no answer comes then, look at the network and at proxies")
        }
        switch push.answer {
        case .accepted:
            return .pass(
                "\(push.destination.name) accepted a silent push; that it was delivered cannot be seen from here")
        case .refused(.tooManyRequests, _):
            return .warn(
                "\(push.destination.name) refuses more pushes to this device token for now",
                next: "send less often to one device")
        case .refused(let reason, _) where reason.status >= 500:
            return .fail(
                "\(push.destination.name) answered \(CredentialAnswer.text(reason))", next: "try again in 15 minutes")
        case .refused(let reason, _): return .fail("\(push.destination.name) answered \(CredentialAnswer.text(reason))")
        case .none(let why, _), .certificateRefused(let why):
            return .fail("no answer came to a silent push: \(why)", next: "look at http2 and at the network")
        }
    }
}

/// What `push-accepted` decides by.
enum AcceptanceQuestion: Sendable {
    case pushed(DevicePush)
    /// The push to an impossible device token had no answer, or one that says nothing about the credentials, so that none
    /// followed it.
    ///
    /// - Parameter why: What was seen.
    case unsent(_ why: String)

    static func asked(in evidence: DoctorEvidence) -> Observation<AcceptanceQuestion> {
        if evidence.deviceToken.value != nil, evidence.deviceNotAsked == nil,
            let connection = evidence.connection.value, connection.device == nil, let first = connection.impossible,
            case .unclear(let why) = CredentialAnswer(first)
        {
            return .seen(.unsent(why))
        }
        return DevicePush.answer(in: evidence).map { .pushed($0) }
    }
}
