import Foundation
import ProviderToken
import TestSupport
import Testing

@testable import APNSProvider

struct ProviderConfigurationSimulatorTests {
    private static func detail(_ folder: String) -> String? {
        #expect(throws: ProviderConfigurationError.self) {
            try ProviderConfiguration.simulator(credentials: folder)
        }?.detail
    }

    @Test func `the credentials of a gateway simulator are read from its folder`() throws {
        try withTemporaryFolder { root in
            let folder = root.appendingPathComponent("dev").path
            #expect(Self.detail(folder)?.contains("there is no \(folder)/credentials.json; start the gateway") == true)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            func write(_ name: String, _ bytes: [UInt8]) throws {
                try Data(bytes).write(to: URL(filePath: folder + "/" + name))
            }
            try write("credentials.json", Array("[".utf8))
            #expect(Self.detail(folder)?.contains("does not describe credentials") == true)
            try write(
                "credentials.json",
                Array(#"{"key":"AuthKey_ABC123DEFG.p8","key-id":"ABC123DEFG","team-id":"TEAM123456","topic":"a"}"#.utf8)
            )
            #expect(Self.detail(folder)?.contains("AuthKey_ABC123DEFG.p8 cannot be read") == true)
            let key = try SigningKey.generate()
            try write("AuthKey_ABC123DEFG.p8", try key.p8)
            #expect(Self.detail(folder)?.contains("ca.pem cannot be read") == true)
            try write("ca.pem", [1])
            let configuration = try ProviderConfiguration.simulator(credentials: folder, port: 9000)
            #expect(configuration.gateway == .simulator(port: 9000))
            guard case .token(let read, let keyID, let teamID) = configuration.credentials,
                case .authorities(let pem) = configuration.trust
            else {
                Issue.record("other credentials")
                return
            }
            #expect(
                read.publicKey == key.publicKey && keyID.value == "ABC123DEFG" && teamID.value == "TEAM123456"
                    && pem == [1]
            )
        }
    }
}
