import APNSModel
import ProviderToken
import Testing

@testable import APNSProvider

struct ProviderConfigurationTests {
    private func configuration(
        _ credentials: ProviderConfiguration.Credentials, trust: ProviderConfiguration.Trust = .system
    ) -> ProviderConfiguration {
        ProviderConfiguration(gateway: APNSGateway(.sandbox), credentials: credentials, trust: trust)
    }

    private func token() throws -> ProviderConfiguration.Credentials {
        .token(key: try .generate(), keyID: KeyID("ABC123DEFG")!, teamID: TeamID("TEAM123456")!)
    }

    @Test func `provider tokens are signed only for token credentials`() throws {
        #expect(configuration(try token()).tokenSource() != nil)
        #expect(configuration(.pkcs12([], passphrase: nil)).tokenSource() == nil)
    }

    @Test func `a certificate, key or authority that cannot be read is named`() throws {
        let configurations = [
            configuration(.certificate(pem: Array("x".utf8), key: Array("y".utf8), passphrase: nil)),
            configuration(.pkcs12([1, 2, 3], passphrase: nil)),
            configuration(try token(), trust: .authorities(pem: Array("z".utf8))),
        ]
        for configuration in configurations {
            let error = #expect(throws: ProviderConfigurationError.self) { try PushProvider(configuration) }
            #expect(error?.description.isEmpty == false)
        }
    }
}
