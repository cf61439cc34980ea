import APNSModel
import Foundation
import ProviderToken
import TestSupport
import Testing

@testable import APNSProvider

struct CredentialsTests {
    private typealias Credentials = ProviderConfiguration.Credentials

    private static func withFile<Result>(
        _ name: String, _ bytes: [UInt8], _ body: (String) throws -> Result
    ) throws -> Result {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent(name)
            try Data(bytes).write(to: file)
            return try body(file.path)
        }
    }

    @Test func `a key's file gives the key id by its name`() throws {
        let key = try SigningKey.generate()
        try Self.withFile("AuthKey_ABC123DEFG.p8", try key.p8) { path in
            guard case .token(let read, let keyID, let teamID) = try Credentials.token(path: path, teamID: "TEAM123456")
            else {
                Issue.record("no token")
                return
            }
            #expect(read.publicKey == key.publicKey && keyID.value == "ABC123DEFG" && teamID.value == "TEAM123456")
            guard
                case .token(_, let other, _) = try Credentials.token(
                    path: path, keyID: "OTHER12345", teamID: "TEAM123456")
            else {
                Issue.record("no token")
                return
            }
            #expect(other.value == "OTHER12345")
            #expect(throws: APNSValueError.self) { try Credentials.token(path: path, teamID: "team") }
        }
        try Self.withFile("key.p8", try key.p8) { path in
            let error = #expect(throws: APNSValueError.self) { try Credentials.token(path: path, teamID: "TEAM123456") }
            #expect(error?.detail.contains("keyID") == true)
            _ = try Credentials.token(path: path, keyID: "ABC123DEFG", teamID: "TEAM123456")
        }
        #expect(throws: KeyError.self) {
            try Credentials.token(path: "/none/AuthKey_ABC123DEFG.p8", teamID: "TEAM123456")
        }
    }

    @Test func `an environment variable gives the key`() throws {
        #expect(throws: KeyError.self) {
            try Credentials.token(environment: "APNS_TEST_UNSET", keyID: "ABC123DEFG", teamID: "TEAM123456")
        }
        let key = try SigningKey.generate()
        let text = Data(try key.p8).base64EncodedString()
        guard
            case .token(let read, let keyID, let teamID) = try Credentials.token(
                environment: "KEY", keyID: "ABC123DEFG", teamID: "TEAM123456", value: { $0 == "KEY" ? text : nil })
        else {
            Issue.record("no token")
            return
        }
        #expect(read.publicKey == key.publicKey && keyID.value == "ABC123DEFG" && teamID.value == "TEAM123456")
    }

    @Test func `authorities are read from a file`() throws {
        try Self.withFile("ca.pem", [1, 2]) { path in
            guard case .authorities(let pem) = try ProviderConfiguration.Trust.authorities(path: path) else {
                Issue.record("no authorities")
                return
            }
            #expect(pem == [1, 2])
            let error = #expect(throws: ProviderConfigurationError.self) {
                try ProviderConfiguration.Trust.authorities(path: path + ".none")
            }
            #expect(error?.detail.contains("ca.pem.none cannot be read") == true)
        }
    }
}
