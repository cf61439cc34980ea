import Testing

@testable import TLSSession

@Suite struct TLSNegotiationTests {
    @Test(arguments: TLSVersion.allCases) func `a client that offers only http/1.1 is refused`(
        version: TLSVersion
    ) throws {
        let credentials = try Credentials()
        let pair = try Pair(
            client: credentials.clientContext(alpn: ["http/1.1"], version: version),
            server: credentials.serverContext())
        let failures = pair.failures()
        #expect(failures.server?.code == .noSharedProtocol)
        #expect(failures.client?.code == .noSharedProtocol)
        #expect(failures.client?.alert == 120)
    }

    @Test func `h2 is chosen from a longer offer`() throws {
        let credentials = try Credentials()
        let pair = try Pair(
            client: credentials.clientContext(alpn: ["http/1.1", "h2"]), server: credentials.serverContext())
        try pair.exchange()
        #expect(pair.client.negotiatedProtocol == "h2")
    }

    @Test(arguments: TLSVersion.allCases) func `a client without ALPN is accepted with no protocol`(
        version: TLSVersion
    ) throws {
        let credentials = try Credentials()
        let pair = try Pair(
            client: credentials.clientContext(alpn: [], version: version), server: credentials.serverContext())
        try pair.exchange()
        #expect(pair.server.isHandshakeDone)
        #expect(pair.server.negotiatedProtocol == nil && pair.client.negotiatedProtocol == nil)
    }

    @Test func `ends without a common version report it`() throws {
        let credentials = try Credentials()
        for (client, server) in [(TLSVersion.tls12, TLSVersion.tls13), (.tls13, .tls12)] {
            let pair = try Pair(
                client: credentials.clientContext(version: client), server: credentials.serverContext(version: server))
            let failures = pair.failures()
            #expect(failures.client?.code == .protocolVersion)
            #expect(failures.server?.code == .protocolVersion)
        }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\n\r\n", "POST /3/device/ab HTTP/1.1\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "CONNECT localhost:443 HTTP/1.1\r\n\r\n",
    ])
    func `a client that speaks plain HTTP is recognized`(request: String) throws {
        let server = End(try TLSSession(server: Credentials().serverContext()))
        let error = #expect(throws: TLSError.self) { try server.feed(request.utf8) }
        #expect(error?.code == .notTLS)
    }

    @Test func `a server that speaks plain HTTP is recognized`() throws {
        let client = End(try TLSSession(client: Credentials().clientContext(), serverName: "localhost"))
        try client.advance()
        let error = #expect(throws: TLSError.self) { try client.feed("HTTP/1.1 400 Bad Request\r\n\r\n".utf8) }
        #expect(error?.code == .notTLS)
    }

    @Test func `any single changed byte in the first flight is handled`() throws {
        let credentials = try Credentials()
        let client = try credentials.clientContext()
        let server = try credentials.serverContext()
        var index = 0
        var count = 1
        var refused = 0
        while index < count {
            let pair = try Pair(client: client, server: server)
            try pair.client.advance()
            var hello = pair.client.output()
            count = hello.count
            hello[index] ^= 0x81
            do throws(TLSError) { try pair.server.feed(hello) } catch { refused += 1 }
            index += 1
        }
        #expect(refused > 50)
    }
}
