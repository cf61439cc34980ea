import APNSModel

extension DoctorCheck {
    static let keyEnvironment = DoctorCheck(
        id: "key-environment", layer: .identity,
        summary: "The credentials are for the environment of the destination; the other environment is asked too.",
        cause: "A key made since 2025 is for one environment unless both were chosen, and Sandbox is preselected.",
        next: "send to the other environment, or make a key for this one, or for both, in the developer account",
        subject: { evidence in
            evidence.connection.flatMap { connection in
                (connection.impossible).map {
                    EnvironmentQuestion(
                        destination: connection.destination, here: CredentialAnswer($0),
                        there: evidence.other.value.flatMap { $0.impossible }.map { CredentialAnswer($0) })
                }.seen(or: IdentityQuestion.unasked(connection))
            }
        }
    ) { $0.verdict }
}

/// What `key-environment` decides by.
struct EnvironmentQuestion: Sendable {
    let destination: Destination
    let here: CredentialAnswer
    /// Nil where the other environment was not asked.
    let there: CredentialAnswer?

    private var other: String {
        destination.environment.map { "Apple's \($0.other.rawValue)" } ?? "another environment"
    }

    var verdict: DoctorVerdict {
        switch (here, there) {
        case (.accepted, nil): return .pass("\(destination.name) accepts them; another environment was not asked")
        case (.accepted, .accepted?): return .pass("\(destination.name) and \(other) accept them")
        case (.accepted, .otherEnvironment?):
            return .pass("\(destination.name) accepts them, and \(other) does not: they are for one environment")
        case (.accepted, .refused(let reason)?):
            return .pass("\(destination.name) accepts them; \(other) answered \(CredentialAnswer.text(reason))")
        case (.accepted, .unclear(let why)?), (.accepted, .alert(let why)?):
            return .pass("\(destination.name) accepts them; nothing is known of \(other): \(why)")
        case (.otherEnvironment, .accepted?):
            return .fail("they are for \(other), and not for \(destination.name)")
        case (.otherEnvironment(let reason), _):
            return .fail(
                "\(destination.name) answered \(CredentialAnswer.text(reason)): they are for another environment")
        case (.refused(let reason), .accepted?):
            return .fail("\(other) accepts them, and \(destination.name) answered \(CredentialAnswer.text(reason))")
        case (.refused, _), (.alert, _):
            return .skip("the credentials are refused for another reason; identity says which")
        case (.unclear(let why), _): return .skip(why)
        }
    }
}
