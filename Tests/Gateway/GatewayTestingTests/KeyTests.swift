import APNSModel
import APNSProvider
import Foundation
import GatewayTesting
import ProviderToken
import Testing

@Suite(.timeLimit(.minutes(10)))
struct KeyTests {
    private static func send(_ gateway: TestGateway, _ configuration: ProviderConfiguration) async throws -> Reply {
        let provider = try PushProvider(configuration)
        let reply = try await provider.send(
            gateway.notification(to: "ab12", payload: #"{"aps":{"content-available":1}}"#))
        await provider.close()
        return reply
    }

    @Test func `another key of the team is accepted once it is added`() async throws {
        try await withGateway(device: "ab12") { gateway in
            let (key, keyID) = try gateway.addKey()
            var configuration = gateway.configuration
            configuration.credentials = .token(key: key, keyID: keyID, teamID: gateway.teamID)
            #expect(try await KeyTests.send(gateway, configuration).isAccepted)
            configuration.credentials = .token(
                key: try SigningKey.generate(), keyID: keyID, teamID: gateway.teamID)
            #expect(try await KeyTests.send(gateway, configuration).reason == .invalidProviderToken)
            #expect(throws: TestGatewayError.self) { try gateway.addKey(id: "short") }
        }
    }

    @Test func `a provider token is as old as it is asked for`() async throws {
        try await withGateway(clock: .manual(startingAt: 1_700_000_000)) { gateway in
            let token = try gateway.providerToken(age: .seconds(61 * 60))
            let claims = try #require(token.split(separator: ".").dropFirst().first)
            let padded = claims.replacing("-", with: "+").replacing("_", with: "/")
            let text = try #require(
                Data(base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4)))
            #expect(String(decoding: text, as: UTF8.self).contains("\"iat\":\(1_700_000_000 - 61 * 60)"))
        }
    }

    @Test func `files are for this user alone, and go`() async throws {
        try await withGateway { gateway in
            let (ca, key) = try await gateway.withFiles { ca, key in
                #expect(try Data(contentsOf: URL(fileURLWithPath: ca)) == Data(gateway.caPEM))
                #expect(
                    try SigningKey(p8: [UInt8](Data(contentsOf: URL(fileURLWithPath: key)))).publicKey
                        == gateway.signingKey.publicKey)
                #expect(key.hasSuffix("/AuthKey_\(gateway.keyID).p8"))
                for file in [ca, key] {
                    let facts = try FileManager.default.attributesOfItem(atPath: file)
                    #expect(facts[.posixPermissions] as? Int == 0o600)
                }
                return (ca, key)
            }
            #expect(!FileManager.default.fileExists(atPath: ca) && !FileManager.default.fileExists(atPath: key))
        }
    }
}
