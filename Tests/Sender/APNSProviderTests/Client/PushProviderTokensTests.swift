import APNSModel
import APNSProvider
import ProviderToken
import Synchronization
import Testing

/// Providers that share the tokens of a key.
struct PushProviderTokensTests {
    @Test func `two providers with one source send the same token`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            let source = ProviderTokenSource(
                key: try .generate(), keyID: KeyID("ABC123DEFG")!, teamID: TeamID("TEAM123456")!)
            var configuration = configuration
            configuration.credentials = .tokens(source)
            for number in 1...2 {
                let provider = try PushProvider(configuration)
                #expect(try await provider.send(TestNotifications.notification(number)).isAccepted)
                await provider.close()
            }
            let tokens = gateway.log.withLock { $0.requests.map { $0.fields["authorization"] } }
            #expect(tokens.count == 2 && Set(tokens).count == 1 && tokens.first != .some(nil))
        }
    }

    /// Signs with a key that the provider does not have.
    private struct Signer: ProviderTokenSigner {
        struct Refusal: Error, CustomStringConvertible {
            var description: String { "the key is disabled" }
        }

        let key: SigningKey
        var isDisabled = false

        func signature(for message: [UInt8]) async throws -> [UInt8] {
            await Task.yield()
            if isDisabled { throw Refusal() }
            return try key.signature(for: message)
        }
    }

    @Test func `a provider sends with tokens that are signed elsewhere`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            let signer = Signer(key: try .generate())
            var configuration = configuration
            configuration.credentials = .tokens(
                ProviderTokenSource(signer: signer, keyID: KeyID("ABC123DEFG")!, teamID: TeamID("TEAM123456")!))
            let provider = try PushProvider(configuration)
            #expect(try await provider.send(TestNotifications.notification(1)).isAccepted)
            await provider.close()
            let request = try #require(gateway.log.withLock { $0.requests.last })
            let token = try ParsedToken(authorization: try #require(request.fields["authorization"]))
            #expect(token.isSigned(by: signer.key.publicKey))
        }
    }

    @Test func `a signer that fails makes notifications unsent, and says why`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { _, configuration in
            var configuration = configuration
            configuration.credentials = .tokens(
                ProviderTokenSource(
                    signer: Signer(key: try .generate(), isDisabled: true), keyID: KeyID("ABC123DEFG")!,
                    teamID: TeamID("TEAM123456")!))
            let provider = try PushProvider(configuration)
            let error = await #expect(throws: APNSSendError.self) {
                try await provider.send(TestNotifications.notification(1))
            }
            #expect(error?.code == .signingFailed && error?.isSafeToRetry == true)
            #expect(error?.detail.contains("the key is disabled") == true)
            await provider.close()
        }
    }

    @Test func `a replaced key is used by the same provider, on a new connection`() async throws {
        try await ScriptedGateway.with(script: { _ in .accept }) { gateway, configuration in
            let source = ProviderTokenSource(
                key: try .generate(), keyID: KeyID("ABC123DEFG")!, teamID: TeamID("TEAM123456")!)
            let other = try SigningKey.generate()
            var configuration = configuration
            configuration.credentials = .tokens(source)
            let provider = try PushProvider(configuration)
            #expect(try await provider.send(TestNotifications.notification(1)).isAccepted)
            source.replaceKey(other, keyID: KeyID("KEY0000002")!)
            #expect(try await provider.send(TestNotifications.notification(2)).isAccepted)
            await provider.close()
            let last = try #require(gateway.log.withLock { $0.requests.last })
            let token = try ParsedToken(authorization: try #require(last.fields["authorization"]))
            #expect(last.connection == 1 && token.keyID == "KEY0000002" && token.isSigned(by: other.publicKey))
        }
    }
}
