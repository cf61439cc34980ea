import Testing

@testable import TLSSession

@Suite struct IdentityChooserTests {
    func pair(_ credentials: Credentials, host: String, version: TLSVersion) throws -> Pair {
        let authority = credentials.authority
        let server = try TLSContext.server(
            identity: credentials.server, clientTrust: nil, maximum: version
        ) { name in
            guard let name, name.hasSuffix(".localhost") else { return nil }
            return try? authority.server(host: name, validity: Credentials.validity)
        }
        return try Pair(client: credentials.clientContext(), server: server, serverName: host)
    }

    @Test(arguments: TLSVersion.allCases) func `a client gets the certificate for the host that it asks for`(
        version: TLSVersion
    ) throws {
        let pair = try pair(Credentials(), host: "orders.localhost", version: version)
        try pair.exchange()
        #expect(pair.client.isHandshakeDone)
        #expect(pair.client.peerCertificate?.names == ["orders.localhost"])
        #expect(pair.server.serverName == "orders.localhost")
    }

    @Test(arguments: ["localhost", "127.0.0.1"]) func `another client gets the default certificate`(host: String) throws
    {
        let pair = try pair(Credentials(), host: host, version: .tls13)
        try pair.exchange()
        #expect(pair.client.isHandshakeDone)
        #expect(pair.client.peerCertificate?.names.contains("*.localhost") == true)
    }

    @Test(arguments: TLSVersion.allCases) func `a client that asks for no host gets what is chosen for it`(
        version: TLSVersion
    ) throws {
        let credentials = try Credentials()
        let server = try TLSContext.server(
            identity: credentials.server, clientTrust: nil, maximum: version
        ) { name in
            guard name == nil else { return nil }
            return try? credentials.authority.server(names: ["chosen.example"], validity: Credentials.validity)
        }
        for (host, isChosen) in [("127.0.0.1", true), ("localhost", false)] {
            let pair = try Pair(client: credentials.clientContext(), server: server, serverName: host)
            try pair.exchange()
            #expect(pair.client.isHandshakeDone)
            #expect(pair.client.peerCertificate?.names.contains("chosen.example") == isChosen)
        }
    }

    @Test func `a certificate for one host is not valid for another`() throws {
        let credentials = try Credentials()
        let server = try TLSContext.server(
            identity: credentials.server, clientTrust: nil
        ) { _ in try? credentials.authority.server(host: "orders.localhost", validity: Credentials.validity) }
        let pair = try Pair(client: credentials.clientContext(), server: server, serverName: "other.localhost")
        #expect(pair.failures().client != nil)
    }
}
