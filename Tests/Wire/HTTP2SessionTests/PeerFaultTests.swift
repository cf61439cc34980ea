import HTTP2Session
import Testing

/// Who ended a stream or a connection, and why.
struct PeerFaultTests {
    @Test func `a request that this side resets before it is sent was not refused by the peer`() throws {
        let client = try TestPeer(.client)
        let stream = try client.request()
        client.session.reset(stream, .cancel)
        try client.collect()
        #expect(client.lines == ["closed 1 CANCEL"])
        #expect(client.resetsHere.map(\.streamID) == [1])
    }

    @Test func `a stream with a malformed answer is reset here, with the fault`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer(.server)
        try exchange(client, server)
        for _ in 0..<3 { try client.request() }
        try exchange(client, server)
        try server.session.respond(to: server.streams[0], body: []) {
            $0.add(":status", "200")
            $0.add("Bad-Name", "x")
        }
        server.session.reset(server.streams[1], .internalError)
        try server.session.respond(to: server.streams[2], body: []) { $0.add(":status", "200") }
        try exchange(client, server)
        #expect(client.lines.contains("closed 1 PROTOCOL_ERROR"))
        #expect(client.lines.contains("closed 3 INTERNAL_ERROR"))
        #expect(client.lines.contains("closed 5 NO_ERROR"))
        #expect(client.resetsHere.map(\.streamID) == [1])
        #expect(client.resetsHere.first?.reason.contains("Invalid HTTP header field") == true)
    }

    @Test func `a GOAWAY that the caller sends is no fault of the peer`() throws {
        let server = try TestPeer(.server)
        try server.receive(preface)
        server.session.goAway(.internalError, debugData: Array("a fault on demand".utf8))
        try server.collect()
        #expect(server.session.violation == nil)
    }

    @Test func `what nghttp2 objects to is named, with the code of its GOAWAY`() throws {
        let server = try TestPeer(.server)
        try server.receive(preface + frame(type: 6, stream: 1, payload: [UInt8](repeating: 0, count: 8)))
        try server.collect()
        let violation = server.session.violation ?? ""
        #expect(violation.hasPrefix("PING") && violation.hasSuffix("(PROTOCOL_ERROR)"))
    }
}
