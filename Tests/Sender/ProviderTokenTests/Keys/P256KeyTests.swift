import COpenSSL
import Testing

@testable import ProviderToken

@Suite struct P256KeyTests {
    /// A TLS session on the same thread would read such an error as its own.
    @Test func `no refused key or signature leaves an error in the thread's queue`() throws {
        ERR_clear_error()
        let key = try SigningKey.generate()
        let message = Array("message".utf8)
        let signature = try key.signature(for: message)
        #expect(key.publicKey.isValid(rawSignature: signature, for: message))
        #expect(!key.publicKey.isValid(rawSignature: [UInt8](repeating: 0, count: 64), for: message))
        #expect(!key.publicKey.isValid(rawSignature: [UInt8](repeating: 0xff, count: 64), for: message))
        #expect(ERR_peek_error() == 0)

        #expect(throws: KeyError.self) { try VerifyingKey(point: [4] + [UInt8](repeating: 7, count: 64)) }
        #expect(ERR_peek_error() == 0)
        _ = try SigningKey(p8: key.p8)
        #expect(ERR_peek_error() == 0)
    }
}
