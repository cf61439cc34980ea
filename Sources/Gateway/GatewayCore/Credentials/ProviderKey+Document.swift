import APNSModel
package import ProviderToken

extension ProviderKey {
    /// The form that a store keeps. It has only the public key.
    package struct Document: Hashable, Sendable, Codable {
        var keyID: String
        var teamID: String
        var kind: Kind
        var environments: [APNSEnvironment]
        var publicKey: String
        var isRevoked: Bool
    }

    package var document: Document {
        Document(
            keyID: keyID, teamID: teamID, kind: kind, environments: environments.sorted { $0.rawValue < $1.rawValue },
            publicKey: verifyingKey.pem, isRevoked: isRevoked)
    }

    /// A key from a store.
    package init(_ document: Document) throws(KeyError) {
        self.init(
            keyID: document.keyID, teamID: document.teamID, verifyingKey: try VerifyingKey(pem: document.publicKey),
            kind: document.kind, environments: Set(document.environments))
        isRevoked = document.isRevoked
    }

    /// Whether the two are equal, apart from a revocation.
    func isSameKey(as other: ProviderKey) -> Bool {
        keyID == other.keyID && teamID == other.teamID && kind == other.kind && environments == other.environments
            && verifyingKey == other.verifyingKey
    }
}
