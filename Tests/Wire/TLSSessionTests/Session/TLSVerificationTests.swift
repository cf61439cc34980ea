import Testing

@testable import TLSSession

@Suite struct TLSVerificationTests {
    @Test(arguments: [
        "127.0.0.1", "::1", "localhost", "localhost.", "LocalHost", "first.localhost", "push.example.com",
    ])
    func `a name or address of the certificate is accepted`(name: String) throws {
        let credentials = try Credentials()
        let identity = try credentials.authority.server(names: ["push.example.com"], validity: Credentials.validity)
        let pair = try Pair(
            client: credentials.clientContext(), server: .server(identity: identity, clientTrust: nil),
            serverName: name)
        try pair.exchange()
        #expect(pair.client.isHandshakeDone)
        let isAddress = name.first?.isNumber == true || name.contains(":")
        #expect((pair.server.serverName == nil) == isAddress, "SNI is for names only")
    }

    @Test(arguments: ["other.example.com", "127.0.0.2", "::2", "a.b.localhost", "localhost.example.com"])
    func `a name or address that the certificate lacks is refused with both named`(name: String) throws {
        let credentials = try Credentials()
        let pair = try Pair(
            client: credentials.clientContext(), server: credentials.serverContext(), serverName: name)
        let failures = pair.failures()
        #expect(failures.client?.code == .hostNameMismatch)
        #expect(failures.client?.detail.contains(name) == true)
        #expect(failures.client?.detail.contains("localhost, *.localhost, 127.0.0.1, ::1") == true)
        #expect(failures.server?.code == .peerAlert, "the alert that tells the server was taken and sent")
    }

    @Test(arguments: ["", "a b", "bücher.example", "line\nbreak", String(repeating: "a", count: 254)])
    func `a string that is not a host name is refused before anything is sent`(name: String) throws {
        let context = try Credentials().clientContext()
        let error = #expect(throws: TLSError.self) { _ = try TLSSession(client: context, serverName: name) }
        #expect(error?.code == .badServerName)
    }

    @Test(arguments: TLSVersion.allCases) func `a server of an unknown authority is not trusted`(
        version: TLSVersion
    ) throws {
        let ours = try Credentials()
        let theirs = try Credentials()
        let pair = try Pair(client: ours.clientContext(version: version), server: theirs.serverContext())
        let failures = pair.failures()
        #expect(failures.client?.code == .certificateNotTrusted)
        #expect(failures.client?.detail.contains("\"localhost\"") == true)
        #expect(failures.client?.detail.contains("trust the authority that issued it") == true)
        #expect(failures.client?.detail.contains("--") == false)
        #expect(failures.server?.code == .peerAlert)
        #expect(failures.server?.detail.contains("refused our certificate") == true)
    }

    @Test func `the system's authorities do not trust a development certificate`() throws {
        let credentials = try Credentials()
        let pair = try Pair(
            client: .client(trust: .system, identity: nil), server: credentials.serverContext())
        #expect(pair.failures().client?.code == .certificateNotTrusted)
    }

    @Test func `a certificate that is itself given as trusted is accepted`() throws {
        let credentials = try Credentials()
        let leaf = TLSTrust.certificates(pem: try credentials.server.certificatePEM)
        let pair = try Pair(client: .client(trust: leaf, identity: nil), server: credentials.serverContext())
        try pair.exchange()
        #expect(pair.client.peerVerification == .trusted)
    }

    @Test func `an expired server certificate is refused with the date`() throws {
        let credentials = try Credentials(
            serverValidity: CertificateValidity(notBefore: 1_700_000_000, notAfter: 1_709_210_096))
        let pair = try Pair(client: credentials.clientContext(), server: credentials.serverContext())
        let error = pair.failures().client
        #expect(error?.code == .certificateExpired)
        #expect(error?.detail.contains("2024-02-29T12:34:56Z") == true)
    }

    @Test func `a server certificate from the future is refused with the date`() throws {
        let credentials = try Credentials(
            serverValidity: CertificateValidity(notBefore: 1_900_000_000, notAfter: 1_910_000_000))
        let pair = try Pair(client: credentials.clientContext(), server: credentials.serverContext())
        let error = pair.failures().client
        #expect(error?.code == .certificateNotYetValid)
        #expect(error?.detail.contains("2030-03-17T17:46:40Z") == true)
    }

    @Test(arguments: TLSVersion.allCases) func `a server sees the facts of a push certificate`(
        version: TLSVersion
    ) throws {
        let credentials = try Credentials()
        let pair = try Pair(
            client: credentials.clientContext(identity: credentials.client, version: version),
            server: credentials.serverContext())
        try pair.exchange()
        let facts = try #require(pair.server.peerCertificate)
        #expect(pair.server.peerVerification == .trusted)
        #expect(facts == credentials.client.certificate)
        #expect(facts.commonName == "Apple Push Services: com.example.mail")
        #expect(facts.userID == "com.example.mail")
        #expect(facts.organizationalUnit == "ABCDE12345")
        #expect(facts.notBefore == Credentials.validity.notBefore && facts.notAfter == Credentials.validity.notAfter)
        #expect(facts.allowsSandbox && facts.allowsProduction && facts.isVoIP)
        #expect(facts.topics.map(\.kind) == ["app", "voip", "complication"])
        #expect(facts.topics.map(\.topic) == PushCertificateRequest.mail.topics.map(\.topic))
        #expect(!facts.hasMalformedTopics)
        #expect(facts.fingerprint.utf8.count == 64 && facts.serial.utf8.count == 32)
    }

    @Test(arguments: TLSVersion.allCases) func `a client certificate that does not verify is recorded, not refused`(
        version: TLSVersion
    ) throws {
        let ours = try Credentials()
        let theirs = try Credentials()
        let past = CertificateValidity(notBefore: 1_600_000_000, notAfter: 1_610_000_000)
        let expired = try ours.authority.client(.mail, validity: past)
        let wrongUsage = ours.server
        for (identity, words) in [
            (theirs.client, "unable to get local issuer certificate"), (expired, "certificate has expired"),
            (wrongUsage, "purpose"),
        ] {
            let pair = try Pair(
                client: ours.clientContext(identity: identity, version: version), server: ours.serverContext())
            try pair.exchange()
            guard case .untrusted(let why) = pair.server.peerVerification else {
                Issue.record("\(words): \(pair.server.peerVerification)")
                continue
            }
            #expect(why.contains(words))
            #expect(pair.server.peerCertificate?.fingerprint == identity.certificate.fingerprint)
            try pair.server.write([1, 2, 3])
            try pair.exchange()
            #expect(pair.client.received == [1, 2, 3])
        }
    }

    @Test func `a server without client trust trusts no client certificate`() throws {
        let credentials = try Credentials()
        let pair = try Pair(
            client: credentials.clientContext(identity: credentials.client),
            server: .server(identity: credentials.server, clientTrust: nil))
        try pair.exchange()
        #expect(pair.server.peerVerification == .untrusted("unable to get local issuer certificate"))
    }

    @Test func `a server that does not ask gets no certificate`() throws {
        let credentials = try Credentials()
        let pair = try Pair(
            client: credentials.clientContext(identity: credentials.client),
            server: .server(identity: credentials.server, clientTrust: nil, requestsClientCertificate: false))
        try pair.exchange()
        #expect(pair.server.peerVerification == .none)
    }
}
