import COpenSSL
import Testing

@testable import TLSSession

@Suite struct TLSIdentityTests {
    @Test func `certificate and key are read from one PEM file`() throws {
        let made = try Credentials().client
        let both = try made.privateKeyPEM + made.certificatePEM
        let identity = try TLSIdentity(pem: both, key: both, passphrase: nil)
        #expect(identity.certificate == made.certificate)
    }

    @Test func `the certificate that matches the key is first in the chain`() throws {
        let credentials = try Credentials()
        let pem = try credentials.authority.certificatePEM + credentials.client.certificatePEM
        let identity = try TLSIdentity(pem: pem, key: credentials.client.privateKeyPEM, passphrase: nil)
        #expect(identity.certificate == credentials.client.certificate)
        let expected = try credentials.client.certificatePEM + credentials.authority.certificatePEM
        let written = try identity.chainPEM
        #expect(written == expected)
    }

    @Test func `a key of another certificate is refused`() throws {
        let credentials = try Credentials()
        let error = #expect(throws: TLSError.self) {
            try TLSIdentity(
                pem: credentials.client.certificatePEM, key: credentials.server.privateKeyPEM, passphrase: nil)
        }
        #expect(error?.code == .keyMismatch)
        #expect(error?.detail.contains("Apple Push Services: com.example.mail") == true)
    }

    @Test(arguments: [true, false]) func `an encrypted key needs its passphrase`(isTraditional: Bool) throws {
        let made = try Credentials().client
        let certificate = try made.certificatePEM
        let key = try encryptedKey(of: made, passphrase: "correct", isTraditional: isTraditional)
        let identity = try TLSIdentity(pem: certificate, key: key, passphrase: "correct")
        #expect(identity.certificate == made.certificate)
        for (passphrase, code) in [
            (nil, TLSError.Code.passphraseNeeded), ("wrong", .wrongPassphrase), ("", .wrongPassphrase),
            (String(repeating: "long", count: 1000), .wrongPassphrase),
        ] {
            let error = #expect(throws: TLSError.self) {
                try TLSIdentity(pem: certificate, key: key, passphrase: passphrase)
            }
            #expect(error?.code == code)
            #expect(error?.detail.contains("correct") == false)
        }
    }

    @Test func `PEM without a certificate or without a key is refused`() throws {
        let made = try Credentials().client
        let certificate = try made.certificatePEM
        let key = try made.privateKeyPEM
        for bad in [[], Array("hello".utf8), key, Array(certificate.dropLast(60)), damaged(certificate)] {
            let error = #expect(throws: TLSError.self) { try TLSIdentity(pem: bad, key: key, passphrase: nil) }
            #expect(error?.code == .badCertificate)
        }
        for bad in [[], Array("hello".utf8), certificate, Array(key.dropLast(40)), damaged(key)] {
            let error = #expect(throws: TLSError.self) { try TLSIdentity(pem: certificate, key: bad, passphrase: nil) }
            #expect(error?.code == .badKey)
        }
    }

    @Test func `a second certificate that is broken is not overlooked`() throws {
        let made = try Credentials().client
        let pem = try made.certificatePEM + damaged(try made.certificatePEM)
        let error = #expect(throws: TLSError.self) {
            try TLSIdentity(pem: pem, key: made.privateKeyPEM, passphrase: nil)
        }
        #expect(error?.code == .badCertificate && error?.detail.contains("certificate 2") == true)
    }

    @Test(arguments: ["secret", "", "pässword"]) func `a PKCS#12 file gives the same identity back`(
        passphrase: String
    ) throws {
        let credentials = try Credentials()
        let file = try credentials.client.pkcs12(passphrase: passphrase, name: "Mail")
        let identity = try TLSIdentity(pkcs12: file, passphrase: passphrase)
        #expect(identity.certificate == credentials.client.certificate)
        let pair = try Pair(
            client: credentials.clientContext(identity: identity), server: credentials.serverContext())
        try pair.exchange()
        #expect(pair.server.peerVerification == .trusted)
        #expect(pair.server.peerCertificate?.userID == "com.example.mail")
    }

    @Test func `a wrong passphrase and a missing one are different errors`() throws {
        let file = try Credentials().client.pkcs12(passphrase: "correct", name: "Mail")
        for (passphrase, code) in [(nil, TLSError.Code.passphraseNeeded), ("wrong", .wrongPassphrase)] {
            let error = #expect(throws: TLSError.self) { try TLSIdentity(pkcs12: file, passphrase: passphrase) }
            #expect(error?.code == code)
        }
    }

    @Test func `a PKCS#12 file cut anywhere is refused`() throws {
        let file = try Credentials().client.pkcs12(passphrase: "", name: "Mail")
        for count in stride(from: 0, to: file.count, by: 37) {
            let error = #expect(throws: TLSError.self) {
                try TLSIdentity(pkcs12: Array(file.prefix(count)), passphrase: nil)
            }
            #expect(error?.code == .badPKCS12, "\(count) bytes")
        }
        let error = #expect(throws: TLSError.self) {
            try TLSIdentity(pkcs12: Array("-----BEGIN CERTIFICATE-----".utf8), passphrase: nil)
        }
        #expect(error?.code == .badPKCS12)
    }

    @Test(.enabled(if: TLSIdentityTests.hasLegacyProvider, "OpenSSL has no legacy provider here"))
    func `a PKCS#12 file encrypted with RC2 is read`() throws {
        let made = try Credentials().client
        let file = try #require(legacyPKCS12(of: made, passphrase: "secret"))
        let identity = try TLSIdentity(pkcs12: file, passphrase: "secret")
        #expect(identity.certificate == made.certificate)
        let error = #expect(throws: TLSError.self) { try TLSIdentity(pkcs12: file, passphrase: "wrong") }
        #expect(error?.code == .wrongPassphrase)
    }

    @Test func `printing an identity shows no key`() throws {
        let made = try Credentials().client
        var text = ""
        dump(made, to: &text)
        #expect(!text.contains("PRIVATE") && text.utf8.count < 2000)
    }

    private func damaged(_ pem: [UInt8]) -> [UInt8] {
        var bytes = pem
        bytes[100] = UInt8(ascii: "!")
        return bytes
    }

    private func encryptedKey(of identity: TLSIdentity, passphrase: String, isTraditional: Bool) throws -> [UInt8] {
        let bio = try MemoryBIO()
        let key = identity.storage.key.raw
        let count = Int32(passphrase.utf8.count)
        let written =
            if isTraditional {
                passphrase.utf8CString.withUnsafeBytes {
                    PEM_write_bio_PrivateKey_traditional(
                        bio.raw, key, EVP_aes_128_cbc(), $0.bindMemory(to: UInt8.self).baseAddress, count, nil, nil)
                }
            } else {
                PEM_write_bio_PKCS8PrivateKey(bio.raw, key, EVP_aes_256_cbc(), passphrase, count, nil, nil)
            }
        try #require(written == 1)
        return bio.takeBytes()
    }

    private static var hasLegacyProvider: Bool {
        guard let library = OSSL_LIB_CTX_new() else { return false }
        defer { OSSL_LIB_CTX_free(library) }
        guard let legacy = OSSL_PROVIDER_load(library, "legacy") else { return false }
        OSSL_PROVIDER_unload(legacy)
        return true
    }

    private func legacyPKCS12(of identity: TLSIdentity, passphrase: String) -> [UInt8]? {
        guard let library = OSSL_LIB_CTX_new() else { return nil }
        defer { OSSL_LIB_CTX_free(library) }
        guard let standard = OSSL_PROVIDER_load(library, "default") else { return nil }
        defer { OSSL_PROVIDER_unload(standard) }
        guard let legacy = OSSL_PROVIDER_load(library, "legacy") else { return nil }
        defer { OSSL_PROVIDER_unload(legacy) }
        let storage = identity.storage
        let made = PKCS12_create_ex(
            passphrase, "Mail", storage.key.raw, storage.certificate.raw, nil, NID_pbe_WithSHA1And40BitRC2_CBC,
            NID_pbe_WithSHA1And3_Key_TripleDES_CBC, 0, 0, 0, library, nil)
        guard let made, let bio = try? MemoryBIO() else { return nil }
        defer { PKCS12_free(made) }
        i2d_PKCS12_bio(bio.raw, made)
        return bio.takeBytes()
    }
}
