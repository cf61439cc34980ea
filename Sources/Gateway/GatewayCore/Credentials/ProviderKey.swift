package import APNSModel
package import ProviderToken

/// A registered key, which verifies provider tokens.
///
/// Source: docs/reference/apns.md 4.4, which restates Apple, "Establishing a token-based connection to APNs".
package struct ProviderKey: Sendable {
    package enum Kind: Hashable, Sendable, Codable {
        /// All topics of the team, including later ones.
        case team
        /// Only these topics.
        case topics(Set<String>)

        /// The environments of a key that is registered without any.
        ///
        /// - Parameter environment: The environment of the gateway.
        package func defaultEnvironments(at environment: APNSEnvironment) -> Set<APNSEnvironment> {
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
    /// A removed key stays listed as revoked, so that its provider tokens get another reason than those of an unknown key.
    package internal(set) var isRevoked = false

    /// How many topics a topic-specific key may name.
    package static let maximumTopics = 400

    package init(
        keyID: String, teamID: String, verifyingKey: VerifyingKey, kind: Kind = .team,
        environments: Set<APNSEnvironment> = [.sandbox, .production], isRevoked: Bool = false
    ) {
        self.keyID = keyID
        self.teamID = teamID
        self.kind = kind
        self.environments = environments
        self.verifyingKey = verifyingKey
        self.isRevoked = isRevoked
    }

    /// Whether the key may push to `topic`.
    ///
    /// - Parameter coversSuffixes: Whether a key for a bundle id also covers the suffixed topics of that app.
    func covers(_ topic: ParsedTopic, coversSuffixes: Bool) -> Bool {
        switch kind {
        case .team: true
        case .topics(let topics): topics.contains(topic.text) || coversSuffixes && topics.contains(topic.bundleID)
        }
    }

    /// Whether the two are the old and the new key for the same topics, which may be used on one connection.
    func isRelated(to other: ProviderKey) -> Bool {
        teamID == other.teamID && kind == other.kind && environments == other.environments
    }
}
