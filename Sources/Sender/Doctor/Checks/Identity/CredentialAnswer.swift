import APNSModel

/// What the answer to a push to an impossible device token says about the credentials.
enum CredentialAnswer: Hashable, Sendable {
    /// The device token was judged, which comes after the credentials (docs/reference/apns.md 3.5).
    case accepted
    /// The credentials are for the other environment.
    case otherEnvironment(Reason)
    case refused(Reason)
    /// An alert of TLS refuses the certificate.
    case alert(String)
    /// It says nothing about them.
    case unclear(String)

    init(_ answer: PushAnswer) {
        guard let reason = answer.reason else {
            switch answer {
            case .none(let why, _): self = .unclear(why)
            case .certificateRefused(let why): self = .alert(why)
            case .accepted, .refused: self = .accepted
            }
            return
        }
        switch reason.code {
        case _ where CredentialAnswer.afterCredentials.contains(reason.code): self = .accepted
        case Reason.badEnvironmentKeyInToken.code, Reason.badCertificateEnvironment.code:
            self = .otherEnvironment(reason)
        case _ where CredentialAnswer.ofCredentials.contains(reason.code): self = .refused(reason)
        default:
            self = .unclear("it answered \(CredentialAnswer.text(reason)), which says nothing about the credentials")
        }
    }

    /// Only these are known to come after the check of the credentials.
    private static let afterCredentials = Set(
        [
            Reason.badDeviceToken, .topicDisallowed, .deviceTokenNotForTopic, .unregistered, .expiredToken,
            .tooManyRequests,
        ].map(\.code))

    private static let ofCredentials = Set(
        [
            Reason.invalidProviderToken, .expiredProviderToken, .missingProviderToken, .unrelatedKeyIDInToken,
            .forbidden,
            .badCertificate, .tooManyProviderTokenUpdates,
        ].map(\.code))

    /// A reason of a peer, for a message.
    static func text(_ reason: Reason) -> String {
        let code = reason.code.isEmpty ? "no reason" : ShownText.cut(reason.code, to: 60)
        let safe = String(
            String.UnicodeScalarView(
                code.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
        return reason.status == 0 ? safe : "\(reason.status) \(safe)"
    }
}
