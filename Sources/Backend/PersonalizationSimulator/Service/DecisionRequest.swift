/// A decision request that passed the checks of its form.
package struct DecisionRequest: Hashable, Sendable {
    package struct Point: Hashable, Sendable {
        package var id: String?
        package var name: String?
        /// Picks one decision for a test; only with sign-on.
        package var decisionID: String?

        package init(id: String? = nil, name: String? = nil, decisionID: String? = nil) {
            self.id = id
            self.name = name
            self.decisionID = decisionID
        }
    }

    package enum Flag: String, Hashable, Sendable, CaseIterable {
        /// Record nothing.
        case testMode = "TestMode"
        /// No profile look-up.
        case contextOnly = "ContextOnly"
        case enableDiagnostics = "EnableDiagnostics"
    }

    /// `individualId`, or `profileId` where the profile is an account.
    package var individual: String
    /// Only for spreading people over experiments.
    package var unifiedIndividual: String?
    package var dataSpace = "default"
    package var anchorID: String?
    package var anchorType: String?
    package var requestURL: String?
    /// Custom context variables, as text.
    package var context: [String: String] = [:]
    package var points: [Point]
    /// The profile, which skips the look-up.
    package var profile: [String: String]?
    package var flags: Set<Flag> = []

    package init(individual: String, points: [Point]) {
        self.individual = individual
        self.points = points
    }
}

/// A note about a request or a point. Codes are not HTTP statuses.
package struct Diagnostic: Hashable, Sendable, Codable {
    package let code: Int
    package let description: String

    init(_ code: Int, _ description: String) {
        self.code = code
        self.description = description
    }
}

/// What a decision request is answered with.
package enum DecisionAnswer: Hashable, Sendable {
    case reply(DecisionReply)
    /// An HTTP status with diagnostics.
    ///
    /// - Parameter pause: Milliseconds after which the request may be sent again; nil if that does not help.
    case refused(status: Int, [Diagnostic], pause: Int64? = nil)
}

package struct DecisionReply: Hashable, Sendable {
    package struct Personalization: Hashable, Sendable {
        package let id: String
        package let pointID: String
        package let pointName: String
        package let decisionID: String
        package let attributes: [String: String]
        package let items: [Item]
        /// Nil without items.
        package let itemType: String?
    }

    package let requestID: String
    package internal(set) var personalizations: [Personalization] = []
    /// Empty without sign-on and the flag.
    package internal(set) var diagnostics: [Diagnostic] = []
    /// The resolved person.
    package let individual: String
    package let dataSpace: String
}
