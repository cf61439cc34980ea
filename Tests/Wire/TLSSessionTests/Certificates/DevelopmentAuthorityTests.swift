import COpenSSL
import Testing

@testable import TLSSession

@Suite struct DevelopmentAuthorityTests {
    @Test(arguments: ["server", "client"]) func `a strict verifier accepts what is issued`(purpose: String) throws {
        let credentials = try Credentials()
        let leaf = purpose == "server" ? credentials.server : credentials.client
        let store = X509_STORE_new()
        defer { X509_STORE_free(store) }
        X509_STORE_add_cert(store, credentials.authority.identity.storage.certificate.raw)
        let context = X509_STORE_CTX_new()
        defer { X509_STORE_CTX_free(context) }
        X509_STORE_CTX_init(context, store, leaf.storage.certificate.raw, nil)
        X509_STORE_CTX_set_flags(context, UInt(X509_V_FLAG_X509_STRICT | X509_V_FLAG_CHECK_SS_SIGNATURE))
        X509_STORE_CTX_set_time(context, 0, time_t(Credentials.now))
        X509_STORE_CTX_set_purpose(context, purpose == "server" ? X509_PURPOSE_SSL_SERVER : X509_PURPOSE_SSL_CLIENT)
        let isValid = X509_verify_cert(context) == 1
        let words = String(cString: X509_verify_cert_error_string(Int(X509_STORE_CTX_get_error(context))))
        #expect(isValid, "\(words)")
    }

    @Test func `an authority continues from its files`() throws {
        let first = try Credentials()
        let identity = try TLSIdentity(
            pem: first.authority.identity.certificatePEM, key: first.authority.identity.privateKeyPEM, passphrase: nil)
        let again = try DevelopmentAuthority(identity: identity).server(validity: Credentials.validity)
        let pair = try Pair(
            client: first.clientContext(), server: .server(identity: again, clientTrust: nil))
        try pair.exchange()
        #expect(pair.client.peerVerification == .trusted)
        #expect(again.certificate.serial != first.server.certificate.serial)
    }

    @Test func `an authority knows what it has signed`() throws {
        let (first, second) = (try Credentials(), try Credentials())
        #expect(first.authority.hasSigned(first.server) && first.authority.hasSigned(first.client))
        #expect(first.authority.hasSigned(first.authority.identity))
        #expect(!first.authority.hasSigned(second.server) && !second.authority.hasSigned(first.authority.identity))
    }

    @Test func `a leaf certificate is not an authority`() throws {
        let leaf = try Credentials().server
        let error = #expect(throws: TLSError.self) { try DevelopmentAuthority(identity: leaf) }
        #expect(error?.code == .badCertificate)
    }

    @Test func `a server has its names once and in order`() throws {
        let authority = try Credentials().authority
        let names = ["push.example.com", "localhost", "10.0.0.1", "fe80::1", "push.example.com"]
        let facts = try authority.server(names: names, validity: Credentials.validity).certificate
        #expect(
            facts.names == [
                "localhost", "*.localhost", "127.0.0.1", "::1", "push.example.com", "10.0.0.1", "fe80::1",
            ])
    }

    @Test(arguments: ["a,DNS:evil.example", "a b", "", "ü.example", "a\n", "URI:x"])
    func `a name that would end its entry is refused`(name: String) throws {
        let authority = try Credentials().authority
        let error = #expect(throws: TLSError.self) {
            try authority.server(names: [name], validity: Credentials.validity)
        }
        #expect(error?.code == .badServerName)
    }

    @Test func `a push certificate has only what was requested`() throws {
        let authority = try Credentials().authority
        let request = PushCertificateRequest(bundleID: "com.example", allowsProduction: false)
        let facts = try authority.client(request, validity: Credentials.validity).certificate
        #expect(facts.allowsSandbox && !facts.allowsProduction && !facts.isVoIP)
        #expect(facts.topics.isEmpty && !facts.hasMalformedTopics)
        #expect(facts.organizationalUnit == nil)
    }

    @Test func `the UID has a long bundle id completely`() throws {
        let bundleID = "com.example." + String(repeating: "x", count: 143)
        let authority = try Credentials().authority
        let facts = try authority.client(.init(bundleID: bundleID), validity: Credentials.validity).certificate
        #expect(facts.userID == bundleID)
        #expect(facts.commonName?.unicodeScalars.count == 64)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
        (253_402_300_799, "9999-12-31T23:59:59Z"), (Int64.max, "an unreadable date"), (.min, "an unreadable date"),
    ]) func `dates in messages are those of the calendar`(seconds: Int64, text: String) {
        #expect(UTCDate.text(seconds) == text)
    }

    @Test func `a validity far in the past or future is kept`() throws {
        for validity in [
            CertificateValidity(notBefore: 0, notAfter: 1), .init(notBefore: 2_500_000_000, notAfter: 2_600_000_000),
        ] {
            let facts = try Credentials(serverValidity: validity).server.certificate
            #expect(facts.notBefore == validity.notBefore && facts.notAfter == validity.notAfter)
        }
    }
}
