import COpenSSL
import Testing

@testable import TLSSession

/// Messages that TLS 1.3 allows after the handshake. Our own ends send none, so these tests change OpenSSL's options.
@Suite struct TLSPostHandshakeTests {
    @Test func `a KeyUpdate of either end changes nothing for the plaintext`() throws {
        let credentials = try Credentials()
        let pair = try Pair(client: credentials.clientContext(), server: credentials.serverContext())
        try pair.exchange()
        for round in 0..<4 {
            let isUpdated = SSL_key_update(pair.client.session.handle.raw, SSL_KEY_UPDATE_REQUESTED) == 1
            #expect(isUpdated)
            try pair.client.write([UInt8(round)])
            try pair.server.write([UInt8(round), 7])
            try pair.exchange()
            try pair.server.write([UInt8(round), 8])
            try pair.exchange()
        }
        #expect(pair.server.received == [0, 1, 2, 3])
        #expect(pair.client.received == [0, 7, 0, 8, 1, 7, 1, 8, 2, 7, 2, 8, 3, 7, 3, 8])
    }

    @Test func `plaintext waits while a session ticket is partly received`() throws {
        let (pair, ticket) = try pairWithTicket()
        let first = 5 + Int(ticket[3]) << 8 + Int(ticket[4])
        #expect(first < ticket.count, "the ticket is in more than one record")
        try pair.client.feed(ticket[..<first])
        try pair.client.write(Array("early".utf8))
        try pair.client.write(Array(" words".utf8))
        #expect(pair.client.pendingCiphertextBytes == 0)
        #expect(pair.client.isHandshakeDone)
        try pair.client.feed(ticket[first...])
        #expect(pair.client.pendingCiphertextBytes > 0)
        try pair.exchange()
        #expect(pair.server.received == Array("early words".utf8))
    }

    @Test func `more than a mebibyte does not wait`() throws {
        let (pair, ticket) = try pairWithTicket()
        try pair.client.feed(ticket[..<(5 + Int(ticket[3]) << 8 + Int(ticket[4]))])
        try pair.client.write([UInt8](repeating: 1, count: TLSSession.maximumHeldBytes))
        let error = #expect(throws: TLSError.self) { try pair.client.write([1]) }
        #expect(error?.code == .overflow)
    }

    /// A connection whose server has a ticket to send, in records of at most 512 bytes.
    private func pairWithTicket() throws -> (Pair, [UInt8]) {
        let credentials = try Credentials()
        let server = try credentials.serverContext(version: .tls13)
        let noTicket = UInt64(1) << 14  // SSL_OP_NO_TICKET
        SSL_CTX_clear_options(server.handle.raw, noTicket)
        SSL_CTX_set_num_tickets(server.handle.raw, 1)
        SSL_CTX_ctrl(server.handle.raw, SSL_CTRL_SET_MAX_SEND_FRAGMENT, 512, nil)
        let pair = try Pair(client: credentials.clientContext(identity: credentials.client), server: server)
        try pair.client.advance()
        try pair.server.feed(pair.client.output())
        try pair.client.feed(pair.server.output())
        try pair.server.feed(pair.client.output())
        let ticket = pair.server.output()
        try #require(ticket.count > 5)
        return (pair, ticket)
    }
}
