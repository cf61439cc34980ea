import ProviderToken
import Testing

/// What the package of a key service has.
protocol KeyService: Sendable {
    func sign(_ message: [UInt8], keyName: String, algorithm: String) async throws -> [UInt8]
}

struct KeyServiceSigner: ProviderTokenSigner {
    let service: any KeyService
    let keyName: String

    func signature(for message: [UInt8]) async throws -> [UInt8] {
        try await service.sign(message, keyName: keyName, algorithm: "ECDSA_SHA_256")
    }
}

@Test func `a key service signs for a source of provider tokens`() async throws {
    struct Fake: KeyService {
        let key: SigningKey

        func sign(_ message: [UInt8], keyName: String, algorithm: String) async throws -> [UInt8] {
            try key.signature(for: message)
        }
    }

    let key = try SigningKey.generate()
    let signer = KeyServiceSigner(service: Fake(key: key), keyName: "push")
    let message = Array("message".utf8)
    #expect(key.publicKey.isValid(rawSignature: try await signer.signature(for: message), for: message))
    let source = ProviderTokenSource(signer: signer, keyID: KeyID("ABC123DEFG")!, teamID: TeamID("TEAM123456")!)
    #expect(source.keyID.value == "ABC123DEFG")
}
