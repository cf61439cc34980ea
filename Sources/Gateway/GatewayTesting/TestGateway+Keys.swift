import APNSModel
public import APNSProvider
import DevelopmentCredentials
import GatewayCore
import GatewayServer
public import ProviderToken

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a sender needs.
extension TestGateway {
    /// The configuration of `provider`, to create another provider.
    ///
    /// ```swift
    /// var configuration = gateway.configuration
    /// configuration.connections = 4
    /// let provider = try PushProvider(configuration)
    /// ```
    public var configuration: ProviderConfiguration { TestGateway.configuration(running) }

    static func configuration(_ running: RunningGateway) -> ProviderConfiguration {
        let credentials = running.credentials
        return ProviderConfiguration(
            gateway: APNSGateway(host: running.host, port: running.port),
            credentials: .token(key: credentials.key, keyID: credentials.keyID, teamID: credentials.teamID),
            trust: .authorities(pem: credentials.caPEM))
    }

    /// A provider token, without the word `bearer`.
    ///
    /// - Parameter age: How long ago it was signed, by the gateway's clock.
    public func providerToken(age: Duration = .zero) throws -> String {
        try SignedToken(
            keyID: keyID, teamID: teamID,
            issuedAt: (running.now - age.wholeNanoseconds / 1_000_000) / 1000, key: signingKey
        ).text
    }

    /// Registers another key of the gateway's team.
    ///
    /// - Returns: The key and its id, for a sender.
    public func addKey(id: String = "KEY0000002") throws -> (key: SigningKey, keyID: KeyID) {
        guard let keyID = KeyID(id) else { throw TestGatewayError("\"\(id)\" is not a key id: ten letters and digits") }
        let key = try SigningKey.generate()
        do throws(RegistrationError) {
            try running.register(ProviderKey(keyID: id, teamID: teamID.value, verifyingKey: key.publicKey))
        } catch {
            throw TestGatewayError(error.description)
        }
        return (key, keyID)
    }

    /// Files for a sender that reads its credentials. They exist while `body` runs, and only their owner can read them.
    ///
    /// - Parameter body: Gets the paths of the authority's certificate and of the key, `AuthKey_KEYID.p8`.
    public func withFiles<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (_ ca: String, _ key: String) async throws -> sending Result
    ) async throws -> sending Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gateway-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let ca = folder.appendingPathComponent("ca.pem")
        let key = folder.appendingPathComponent("AuthKey_\(keyID.value).p8")
        for (file, bytes) in [(ca, caPEM), (key, try signingKey.p8)] {
            try Data(bytes).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        }
        return try await body(ca.path, key.path)
    }
}
