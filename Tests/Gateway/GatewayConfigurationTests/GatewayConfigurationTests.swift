import APNSModel
import GatewayConfiguration
import GatewayCore
import ProviderToken
import Testing

struct GatewayConfigurationTests {
    @Test func `a key is read from a p8 file and from a public key`() throws {
        let key = try SigningKey.generate()
        let keyID = try #require(KeyID("ABC123DEFG"))
        let teamID = try #require(TeamID("ABCDE12345"))
        let secret = try GatewayConfiguration.Key(keyID: keyID, teamID: teamID, file: try key.p8)
        let open = try GatewayConfiguration.Key(keyID: keyID, teamID: teamID, file: Array(key.publicKey.pem.utf8))
        #expect(secret.verifyingKey == key.publicKey)
        #expect(open.verifyingKey == key.publicKey)
        #expect(throws: KeyError.self) { try GatewayConfiguration.Key(keyID: keyID, teamID: teamID, file: [1, 2]) }
    }

    @Test func `a gateway has the documented budgets unless told otherwise`() {
        #expect(GatewayConfiguration().budgets == .documented)
    }
}
