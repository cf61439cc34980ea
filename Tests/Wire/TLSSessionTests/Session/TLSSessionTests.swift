import Testing

@testable import TLSSession

@Suite struct TLSSessionTests {
    @Test(arguments: TLSVersion.allCases) func `both ends report the same version, protocol and names`(
        version: TLSVersion
    ) throws {
        let credentials = try Credentials()
        let pair = try Pair(
            client: credentials.clientContext(version: version), server: credentials.serverContext())
        try pair.exchange()
        #expect(pair.client.isHandshakeDone && pair.server.isHandshakeDone)
        #expect(pair.client.version == (version == .tls12 ? "TLSv1.2" : "TLSv1.3"))
        #expect(pair.client.cipher == pair.server.cipher)
        #expect(pair.client.cipher.contains("GCM") || pair.client.cipher.contains("CHACHA20"))
        #expect(pair.client.negotiatedProtocol == "h2")
        #expect(pair.server.negotiatedProtocol == "h2")
        #expect(pair.server.serverName == "localhost")
        #expect(pair.client.peerVerification == .trusted)
        #expect(pair.client.peerCertificate?.fingerprint == credentials.server.certificate.fingerprint)
        #expect(pair.server.peerVerification == .none)
        #expect(pair.server.peerCertificate == nil)
    }

    @Test(arguments: TLSVersion.allCases) func `single bytes have the same result as whole flights`(
        version: TLSVersion
    ) throws {
        let credentials = try Credentials()
        let pair = try Pair(
            client: credentials.clientContext(identity: credentials.client, version: version),
            server: credentials.serverContext())
        let single: ([UInt8]) -> [ArraySlice<UInt8>] = { bytes in bytes.indices.map { bytes[$0...$0] } }
        try pair.exchange(cut: single)
        try pair.client.write(Array("ping".utf8))
        try pair.server.write(Array("pong".utf8))
        try pair.exchange(cut: single)
        pair.client.session.close()
        try pair.exchange(cut: single)
        #expect(pair.server.received == Array("ping".utf8))
        #expect(pair.client.received == Array("pong".utf8))
        #expect(pair.server.peerVerification == .trusted)
        #expect(pair.server.isClosed)
    }

    @Test(arguments: TLSVersion.allCases) func `flights cut at any offset have the same result`(version: TLSVersion)
        throws
    {
        let credentials = try Credentials()
        let client = try credentials.clientContext(identity: credentials.client, version: version)
        let server = try credentials.serverContext()
        var offset = 0
        var longest = 1
        while offset < longest {
            let pair = try Pair(client: client, server: server)
            let cut: ([UInt8]) -> [ArraySlice<UInt8>] = { [$0.prefix(offset), $0.dropFirst(offset)] }
            longest = max(longest, try pair.exchange(cut: cut))
            try pair.client.write(Array("ping".utf8))
            pair.client.session.close()
            try pair.exchange(cut: cut)
            #expect(pair.server.received == Array("ping".utf8) && pair.server.isClosed, "cut at \(offset)")
            #expect(pair.server.peerVerification == .trusted, "cut at \(offset)")
            offset += 1
        }
        #expect(longest > 500)
    }

    @Test(arguments: TLSVersion.allCases) func `a mebibyte is sent each way in full records`(version: TLSVersion) throws
    {
        let credentials = try Credentials()
        let pair = try Pair(
            client: credentials.clientContext(version: version), server: credentials.serverContext())
        try pair.exchange()
        let bytes = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try pair.client.write(bytes)
        let overhead = pair.client.pendingCiphertextBytes - bytes.count
        #expect(overhead > 0 && overhead <= 64 * 32, "64 records, each with less than 32 bytes around it")
        try pair.server.write(bytes)
        try pair.exchange(cut: { bytes in
            stride(from: 0, to: bytes.count, by: 65_536).map { bytes[$0..<min($0 + 65_536, bytes.count)] }
        })
        #expect(pair.server.received == bytes)
        #expect(pair.client.received == bytes)
    }

    @Test func `ciphertext is taken in pieces as small as the buffer`() throws {
        let credentials = try Credentials()
        let pair = try Pair(client: credentials.clientContext(), server: credentials.serverContext())
        try pair.client.advance()
        let pending = pair.client.pendingCiphertextBytes
        var small: [UInt8] = [0, 0, 0]
        let count = small.withUnsafeMutableBytes { pair.client.session.takeCiphertext(into: $0) }
        #expect(count == 3 && small[0] == 22, "22 is a handshake record")
        #expect(pair.client.pendingCiphertextBytes == pending - 3)
        try pair.server.feed(small + pair.client.output())
        #expect(pair.server.pendingCiphertextBytes > 0)
        let none = small.withUnsafeMutableBytes { pair.client.session.takeCiphertext(into: $0) }
        #expect(none == 0)
    }

    @Test(arguments: TLSVersion.allCases) func `close_notify goes both ways`(version: TLSVersion) throws {
        let credentials = try Credentials()
        let pair = try Pair(
            client: credentials.clientContext(version: version), server: credentials.serverContext())
        try pair.exchange()
        pair.server.session.close()
        pair.server.session.close()
        try pair.client.write(Array("last".utf8))
        try pair.exchange()
        #expect(pair.client.isClosed && !pair.server.isClosed)
        #expect(pair.server.received == Array("last".utf8), "the other direction stays open")
        pair.client.session.close()
        pair.client.session.receiveEndOfStream()
        try pair.exchange()
        #expect(pair.server.isClosed)
        #expect(throws: TLSError.self) { try pair.client.write([1]) }
    }

    @Test(arguments: TLSVersion.allCases) func `an end of stream without close_notify is a truncation`(
        version: TLSVersion
    ) throws {
        let credentials = try Credentials()
        let pair = try Pair(
            client: credentials.clientContext(version: version), server: credentials.serverContext())
        try pair.exchange()
        try pair.client.write(Array("half".utf8))
        let bytes = pair.client.output()
        try pair.server.feed(bytes.dropLast())
        pair.server.session.receiveEndOfStream()
        let error = #expect(throws: TLSError.self) { try pair.server.advance() }
        #expect(error?.code == .truncated)
        #expect(pair.server.received.isEmpty)
    }

    @Test func `an end of stream in the handshake says that the peer may not speak TLS`() throws {
        let credentials = try Credentials()
        var session = try TLSSession(client: credentials.clientContext(), serverName: "localhost")
        let begun = try session.handshake()
        #expect(begun == .wantsMore)
        session.receiveEndOfStream()
        let error = #expect(throws: TLSError.self) { _ = try session.handshake() }
        #expect(error?.code == .handshakeEnded)
        #expect(error?.detail.contains("that it speaks TLS") == true)
    }

    @Test(arguments: TLSVersion.allCases) func `a flipped bit in a record is a final error`(
        version: TLSVersion
    ) throws {
        let credentials = try Credentials()
        let client = try credentials.clientContext(version: version)
        let server = try credentials.serverContext()
        for index in [0, 1, 5, 6, 20] {
            let pair = try Pair(client: client, server: server)
            try pair.exchange()
            try pair.client.write(Array("some plaintext".utf8))
            var bytes = pair.client.output()
            bytes[index] ^= 0x40
            let first = #expect(throws: TLSError.self) { try pair.server.feed(bytes) }
            let second = #expect(throws: TLSError.self) { try pair.server.feed([1]) }
            #expect(first == second)
            #expect(pair.server.received.isEmpty, "byte \(index)")
        }
    }

    @Test func `plaintext before a broken record is still delivered`() throws {
        let credentials = try Credentials()
        let pair = try Pair(client: credentials.clientContext(), server: credentials.serverContext())
        try pair.exchange()
        try pair.client.write(Array("good".utf8))
        let good = pair.client.output()
        try pair.client.write(Array("bad".utf8))
        var bad = pair.client.output()
        bad[bad.count - 1] ^= 1
        let error = #expect(throws: TLSError.self) { try pair.server.feed(good + bad) }
        #expect(error?.code == .protocolViolation)
        #expect(pair.server.received == Array("good".utf8))
    }
}
