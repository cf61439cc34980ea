package import APNSModel
package import ProviderToken

/// A key that provider tokens are signed with, as the gateway knows it.
///
/// Source: docs/reference/apns.md 4.4, which restates Apple, "Establishing a token-based connection to APNs".
package struct ProviderKey: Sendable {
    package enum Kind: Hashable, Sendable, Codable {
        /// All topics of the team, also later ones.
        case team
        /// Only these topics.
        case topics(Set<String>)

        /// Those of a key for which nobody names any.
        ///
        /// - Parameter environment: The one of the gateway that it is registered at.
        package func usualEnvironments(at environment: APNSEnvironment) -> Set<APNSEnvironment> {
            switch self {
            case .team: Set(APNSEnvironment.allCases)
            case .topics: [environment]
            }
        }
    }

    package let keyID: String
    package let teamID: String
    package let kind: Kind
    package let environments: Set<APNSEnvironment>
    package let verifyingKey: VerifyingKey
    /// A removed key stays known as revoked, so that its provider tokens can be told from those of a key never seen.
    package internal(set) var isRevoked = false

    /// How many topics a topic-specific key may name.
    package static let maximumTopics = 400

    package init(
        keyID: String, teamID: String, verifyingKey: VerifyingKey, kind: Kind = .team,
        environments: Set<APNSEnvironment> = [.sandbox, .production]
    ) {
        self.keyID = keyID
        self.teamID = teamID
        self.kind = kind
        self.environments = environments
        self.verifyingKey = verifyingKey
    }

    /// Whether the key may push to `topic`.
    ///
    /// - Parameter coversSuffixes: Whether a key for a bundle id is good for the suffixed topics of that app as well.
    func covers(_ topic: ParsedTopic, coversSuffixes: Bool) -> Bool {
        switch kind {
        case .team: true
        case .topics(let topics): topics.contains(topic.text) || coversSuffixes && topics.contains(topic.bundleID)
        }
    }

    /// Whether the two are the old and the new key for the same topics, which may take turns on one connection.
    func isRelated(to other: ProviderKey) -> Bool {
        teamID == other.teamID && kind == other.kind && environments == other.environments
    }
}
