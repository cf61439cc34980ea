import APNSModel

extension DoctorCheck {
    static let identity = DoctorCheck(
        id: "identity", layer: .identity,
        summary:
            "The destination accepts the credentials: it judges a push to a device token that cannot exist by its device "
            + "token.",
        cause: "The key id or the team id is of another key, the key was revoked, or the clock is wrong.",
        next: "compare the key id and the team id with the developer account",
        subject: { evidence in
            evidence.connection.flatMap { connection in
                (connection.impossible).map { IdentityQuestion($0, evidence) }.seen(
                    or: IdentityQuestion.unasked(connection))
            }
        }
    ) { $0.verdict }
}

/// What `identity` decides by.
struct IdentityQuestion: Sendable {
    let answer: CredentialAnswer
    let destination: Destination
    let usesCertificate: Bool
    let key: KeyEvidence?
    let token: ProviderTokenEvidence?
    /// Whether the Date of another server says that the clock is wrong.
    let clockIsWrong: Bool

    init(_ answer: PushAnswer, _ evidence: DoctorEvidence) {
        self.answer = CredentialAnswer(answer)
        destination = evidence.destination
        if case .certificate? = evidence.credentials.value { usesCertificate = true } else { usesCertificate = false }
        key = evidence.key.value
        token = evidence.providerToken.value
        switch evidence.date.value?.answer {
        case .date(let server, let machine, _)?: clockIsWrong = abs(machine - server) >= 600
        case .certificateOutOfTime?: clockIsWrong = true
        case nil: clockIsWrong = false
        }
    }

    static func unasked(_ connection: ConnectionEvidence) -> String {
        connection.http2 == nil
            ? "there is no connection to ask on" : "no push was sent: there are no credentials to send it with"
    }

    var verdict: DoctorVerdict {
        switch answer {
        case .accepted:
            return .pass(
                usesCertificate
                    ? "\(destination.name) accepts the certificate"
                    : "\(destination.name) accepts the provider token: key, key id and team id belong together")
        case .otherEnvironment(let reason):
            return .fail(
                "\(destination.name) answered \(CredentialAnswer.text(reason)): the credentials are for another environment",
                next: "see key-environment")
        case .unclear(let why):
            return .warn(
                "it is not known whether the credentials are accepted: \(why)", next: "try again in some minutes")
        case .refused(let reason): return refusal(reason)
        case .alert(let why):
            return .fail(why, next: "look whether the certificate is valid, and is a push certificate of Apple")
        }
    }

    private func refusal(_ reason: Reason) -> DoctorVerdict {
        let answered = "\(destination.name) answered \(CredentialAnswer.text(reason))"
        switch reason {
        case .invalidProviderToken:
            return .fail(
                "\(answered): it does not know key \(keyID), or it is not a key of team \(key?.teamID ?? "?"), or the signature is of "
                    + "another key; the answer is the same for all three",
                next: nextForInvalidToken)
        case .expiredProviderToken:
            return .fail(
                "\(answered) to a provider token that this machine signed \(token?.age ?? 0) s ago: its clock is more than an hour wrong",
                next: "set the clock, and keep it right with a time service")
        case .tooManyProviderTokenUpdates:
            return .warn(
                "\(answered): provider tokens of this key change too often, or the clock is ahead",
                next: "let each server keep its provider token for 20 to 60 minutes, and share it between connections")
        case .missingProviderToken:
            return .fail(
                "\(answered) to a request that has a provider token: something on the way removes the authorization header",
                next: "look for a proxy that opens TLS, and let it pass TCP through")
        case .forbidden:
            return .fail(
                "\(answered): the key was revoked, or may not do this",
                next: "look whether the key is still listed in the developer account")
        case .badCertificate:
            return .fail(
                "\(answered): the certificate was revoked, is expired, or is none of Apple's",
                next: "make a new push certificate in the developer account")
        default: return .fail(answered)
        }
    }

    private var keyID: String { key?.keyID ?? key?.keyIDInName ?? "?" }

    private var nextForInvalidToken: String {
        if clockIsWrong { return "set the clock first; clock-offset says how wrong it is" }
        if let name = key?.keyIDInName, name != keyID {
            return "the file is named after key \(name): give --key-id \(name)"
        }
        return
            "compare key id and team id with the developer account. A revoked key and an App Store Connect API key, whose file "
            + "has the same name, are refused like this, and so is a new key in its first hours"
    }
}
