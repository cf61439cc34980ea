import APNSModel
import HTTP2Session
import Testing

struct HTTP2SessionTests {
    @Test func `a request and its response arrive complete`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer.answering()
        let stream = try client.request(body: #"{"aps":{}}"#)
        try exchange(client, server)
        #expect(
            server.lines == [
                "settings",
                "head 1 :method=POST :scheme=https :authority=localhost :path=/3/device/ab12 "
                    + "apns-topic=com.example.app",
                #"body 1 {"aps":{}}"#, "end 1 10", "closed 1 NO_ERROR", "settings acknowledged",
            ])
        #expect(
            client.lines == [
                "settings", "settings acknowledged", "head 1 :status=400 apns-id=id-1", #"body 1 {"reason":"Test"}"#,
                "end 1 17", "closed 1 NO_ERROR",
            ])
        #expect(stream.id == 1)
        #expect(client.openStreams == 0)
        #expect(server.openStreams == 0)
    }

    @Test func `every cut of the client's bytes gives the server the same events`() throws {
        let (client, server) = try conversation()
        for cut in 0...client.sent.count {
            let fresh = try TestPeer.answering()
            try fresh.receive(Array(client.sent[..<cut]))
            try fresh.collect()
            try fresh.receive(Array(client.sent[cut...]))
            try fresh.collect()
            #expect(fresh.lines.filter { !$0.hasPrefix("closed") } == server.lines.filter { !$0.hasPrefix("closed") })
        }
    }

    @Test func `bytes that come one by one give the same events on both sides`() throws {
        let (client, server) = try conversation()
        let slowServer = try TestPeer.answering()
        for byte in client.sent { try slowServer.receive([byte]) }
        try slowServer.collect(piece: 1)
        #expect(Set(slowServer.lines) == Set(server.lines))

        let slowClient = try TestPeer(.client)
        for index in 0..<3 { try slowClient.request(body: String(repeating: "x", count: index * 100)) }
        try slowClient.collect(piece: 1)
        for byte in server.sent { try slowClient.receive([byte]) }
        #expect(Set(slowClient.lines) == Set(client.lines))
    }

    @Test func `every cut of the server's bytes gives the client the same events`() throws {
        let (client, server) = try conversation()
        for cut in 0...server.sent.count {
            let fresh = try TestPeer(.client)
            for index in 0..<3 { try fresh.request(body: String(repeating: "x", count: index * 100)) }
            try fresh.collect()
            try fresh.receive(Array(server.sent[..<cut]))
            try fresh.receive(Array(server.sent[cut...]))
            #expect(fresh.lines == client.lines)
        }
    }

    private func conversation() throws -> (TestPeer, TestPeer) {
        let client = try TestPeer(.client)
        let server = try TestPeer.answering()
        for index in 0..<3 { try client.request(body: String(repeating: "x", count: index * 100)) }
        try exchange(client, server)
        return (client, server)
    }

    @Test func `output does not depend on the size of the pieces in which it is taken`() throws {
        let whole = try TestPeer(.client)
        let pieces = try TestPeer(.client)
        for peer in [whole, pieces] { try peer.request(body: String(repeating: "y", count: 5000)) }
        try whole.collect(piece: 65536)
        try pieces.collect(piece: 3)
        #expect(whole.sent == pieces.sent)
    }

    @Test func `bodies larger than the windows arrive complete and respect them`() throws {
        var limits = HTTP2Limits.server
        limits.storedBodyBytes = 1 << 20
        limits.bodyBytes = 1 << 20
        let client = try TestPeer(.client)
        let server = try TestPeer.answering(settings: [.initialWindowSize(1000)], limits: limits)
        try exchange(client, server)
        for _ in 0..<4 { try client.request(body: String(repeating: "z", count: 100_000)) }
        try client.collect()
        // Each stream may have 1000 unacknowledged bytes, and there are frame headers and heads.
        #expect(client.outbox.count < 4 * 1000 + 1000)
        try exchange(client, server)
        #expect(
            server.lines.filter { $0.hasPrefix("end ") }.map { $0.split(separator: " ")[2] }
                == Array(
                    repeating: "100000", count: 4))
    }

    @Test func `the window of the connection holds back streams whose own windows are open`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer(.server, settings: [.initialWindowSize(1 << 20)])
        try exchange(client, server)
        for _ in 0..<4 { try client.request(body: String(repeating: "z", count: 60_000)) }
        try client.collect()
        #expect(client.outbox.count > 65_535 && client.outbox.count < 67_000)
    }

    @Test func `a larger window of the connection is sent immediately`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer(.server, settings: [.initialWindowSize(1 << 20)], connectionWindow: 1 << 20)
        try exchange(client, server)
        for _ in 0..<4 { try client.request(body: String(repeating: "z", count: 60_000)) }
        try client.collect()
        #expect(client.outbox.count > 240_000)
    }

    @Test func `a body that is held back is sent as it is released, and ends when all of it is`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer(.server)
        for _ in 0..<2 { try client.request() }
        try exchange(client, server)
        let streams = server.streams
        try server.session.respond(to: streams[0], body: Array("abcdef".utf8), keepsBodyBack: true) {
            $0.add(":status", "400")
        }
        try server.session.respond(to: streams[1], body: [], keepsBodyBack: true) { $0.add(":status", "200") }
        server.session.release(streams[0], upTo: 2)  // before any of it is sent
        try exchange(client, server)
        #expect(client.lines.suffix(2) == ["head 1 :status=400", "head 3 :status=200"])
        #expect(client.receivedBody(on: 1) == "ab")
        server.session.release(streams[0], upTo: 6)
        try exchange(client, server)
        #expect(client.receivedBody(on: 1) == "abcdef")
        #expect(client.openStreams == 2)
        for stream in streams { server.session.release(stream, upTo: nil) }
        try exchange(client, server)
        #expect(client.lines.contains("body 1 abcdef") && client.lines.contains("end 3 0"))
        #expect(client.openStreams == 0 && server.openStreams == 0)
    }

    @Test func `settings may change while streams are open`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer(.server, settings: [.maxConcurrentStreams(1)])
        try exchange(client, server)
        #expect(client.session.peerMaxConcurrentStreams == 1)
        try client.request()
        try exchange(client, server)
        for limit: UInt32 in [1000, 1, 1000] {
            try server.session.updateSettings([.maxConcurrentStreams(limit), .initialWindowSize(limit * 10)])
            try exchange(client, server)
            #expect(client.session.peerMaxConcurrentStreams == Int(limit))
        }
        #expect(server.streams.map(\.id) == [1])
        try server.session.respond(to: server.streams[0], body: []) { $0.add(":status", "200") }
        try exchange(client, server)
        #expect(client.lines.suffix(3) == ["head 1 :status=200", "end 1 0", "closed 1 NO_ERROR"])
    }

    @Test func `a stream above a limit that the client does not know yet is refused`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer(.server, settings: [.maxConcurrentStreams(1)])
        for _ in 0..<3 { try client.request() }
        try exchange(client, server)
        #expect(
            client.lines.filter { $0.hasPrefix("closed") } == ["closed 3 REFUSED_STREAM", "closed 5 REFUSED_STREAM"])
        #expect(server.streams.map(\.id) == [1])
    }

    @Test func `streams above the last one of a GOAWAY are refused, the others end normally`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer(.server)
        for _ in 0..<3 { try client.request() }
        try exchange(client, server)
        server.session.goAway(lastStreamID: 3, .noError, debugData: Array(#"{"reason":"Shutdown"}"#.utf8))
        try exchange(client, server)
        #expect(client.lines.suffix(2) == ["goaway 3 NO_ERROR {\"reason\":\"Shutdown\"}", "closed 5 REFUSED_STREAM"])
        for stream in server.streams.prefix(2) {
            try server.session.respond(to: stream, body: []) { $0.add(":status", "200") }
        }
        try exchange(client, server)
        #expect(client.openStreams == 0)
        #expect(client.isFinished)
    }

    @Test func `a request that is not sent before a GOAWAY arrives is reported as refused`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer(.server)
        try exchange(client, server)
        server.session.goAway(.noError)
        try server.collect()
        try client.request()  // queued before the GOAWAY is read
        try client.receive(server.outbox)
        try client.collect()
        #expect(client.lines.last == "closed 1 REFUSED_STREAM")
        try client.request()  // submitted after it was read
        try client.collect()
        #expect(client.lines.last == "closed 3 REFUSED_STREAM")
        #expect(client.openStreams == 0)
    }

    @Test func `a client may send GOAWAY too`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer(.server)
        try client.request()
        try exchange(client, server)
        client.session.goAway(.noError)
        try exchange(client, server)
        #expect(server.lines.last == "goaway 0 NO_ERROR ")
        try server.session.respond(to: server.streams[0], body: []) { $0.add(":status", "200") }
        try exchange(client, server)
        #expect(client.lines.last == "closed 1 NO_ERROR")
    }

    @Test func `a ping is answered and recognised`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer(.server)
        client.session.ping(42)
        try exchange(client, server)
        #expect(client.lines.contains("ping acknowledged 42"))
    }

    @Test func `a reset reaches the other side, in both directions`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer(.server)
        let first = try client.request()
        try client.request()
        try exchange(client, server)
        client.session.reset(first, .cancel)
        server.session.reset(server.streams[1], .refusedStream)
        try exchange(client, server)
        #expect(server.lines.contains("closed 1 CANCEL"))
        #expect(client.lines.contains("closed 3 REFUSED_STREAM"))
    }

    @Test func `interim responses and trailers cause no event`() throws {
        let client = try TestPeer(.client)
        try client.request()
        try client.collect()
        // 103, then 200, then a trailer with END_STREAM. Literals: 0x08 is `:status` by its static index.
        let interim: [UInt8] = [0x08, 0x03] + Array("103".utf8)
        let trailer: [UInt8] = [0x00, 0x01, UInt8(ascii: "a"), 0x01, UInt8(ascii: "b")]
        try client.receive(
            frame(type: 4) + frame(type: 1, flags: 4, stream: 1, payload: interim)
                + frame(type: 1, flags: 4, stream: 1, payload: [0x88])
                + frame(type: 0, stream: 1, payload: Array("hi".utf8))
                + frame(type: 1, flags: 5, stream: 1, payload: trailer))
        #expect(
            client.lines == ["settings", "head 1 :status=200", "body 1 hi", "end 1 2", "closed 1 NO_ERROR"])
    }

    @Test func `trailers of a request are ignored, and padding is not part of a body`() throws {
        let server = try TestPeer.answering()
        let trailer: [UInt8] = [0x00, 0x01, UInt8(ascii: "a"), 0x01, UInt8(ascii: "b")]
        try server.receive(
            preface + frame(type: 1, flags: 4 | 8, stream: 1, payload: [3] + requestHead + [0, 0, 0])
                + frame(type: 0, flags: 8, stream: 1, payload: [5] + Array("{}".utf8) + [0, 0, 0, 0, 0])
                + frame(type: 1, flags: 5, stream: 1, payload: trailer))
        #expect(
            server.lines == [
                "settings", "head 1 :method=POST :scheme=https :path=/ :authority=h", "body 1 {}", "end 1 2",
            ])
    }

    @Test func `the session knows whether a request was sent completely`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer(.server, settings: [.initialWindowSize(10)])
        try exchange(client, server)
        let short = try client.request(body: "{}")
        let long = try client.request(body: String(repeating: "x", count: 100))
        #expect(!client.wasSent(short))
        try client.collect()
        #expect(client.wasSent(short))
        #expect(!client.wasSent(long))
    }

    @Test func `slots are reused, but not before the end of their stream was handled`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer.answering()
        var slots: Set<Int32> = []
        for _ in 0..<50 {
            for _ in 0..<4 { slots.insert(try client.request().slot) }
            try exchange(client, server)
        }
        #expect(slots.count <= 8)
        #expect(server.lines.filter { $0.hasPrefix("end") }.count == 200)
    }

    @Test func `a peer that does not speak HTTP 2 is recognized`() throws {
        let server = try TestPeer(.server)
        #expect(throws: HTTP2Error.self) {
            try server.receive(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        }
    }

    @Test(arguments: [false, true])
    func `only the stream over a lowered limit is refused, before and after the limit was acknowledged`(
        isAcknowledged: Bool
    ) throws {
        let server = try TestPeer.answering(settings: [.maxConcurrentStreams(100)])
        let first = frame(type: 1, flags: 4, stream: 1, payload: requestHead)
        try server.receive(preface + frame(type: 4, flags: 1) + first)
        try server.session.updateSettings([.maxConcurrentStreams(1)])
        try server.collect()
        server.sent = []
        if isAcknowledged { try server.receive(frame(type: 4, flags: 1)) }
        let before = server.lines
        try server.receive(frame(type: 1, stream: 3, payload: requestHead + newField))
        try server.receive(frame(type: 9, flags: 4, stream: 3))
        try server.collect()
        try server.receive(frame(type: 0, flags: 1, stream: 3, payload: Array("{}".utf8)))
        try server.collect()
        #expect(server.sent == frame(type: 3, stream: 3, payload: [0, 0, 0, 7]))
        #expect(server.lines == before)
        #expect(server.openStreams == 1)
        #expect(server.session.lastProcessedStreamID == 1)

        // The stream below the limit continues, and so does the header table, in which the refused head has a field.
        try server.receive(frame(type: 0, flags: 1, stream: 1))
        try server.collect()
        #expect(server.lines.suffix(2) == ["end 1 0", "closed 1 NO_ERROR"])
        try server.receive(frame(type: 1, flags: 5, stream: 5, payload: requestHead + [0xbf]))
        #expect(server.lines.contains("head 5 :method=POST :scheme=https :path=/ :authority=h a=b"))
    }

    /// `a: b` as a literal that is added to the header table. After the next `requestHead` it is entry 63 (0xbf).
    private let newField: [UInt8] = [0x40, 0x01, UInt8(ascii: "a"), 0x01, UInt8(ascii: "b")]

    @Test func `each SETTINGS frame has its own stream limit, for any size of the pieces`() throws {
        for piece in [1, 7, 4096] {
            let server = try TestPeer(.server, settings: [.headerTableSize(4096), .maxConcurrentStreams(1)])
            try server.session.updateSettings([.initialWindowSize(1000)])
            try server.session.updateSettings([.maxConcurrentStreams(500), .maxHeaderListSize(8000)])
            try server.receive(preface)
            try server.session.updateSettings([.maxConcurrentStreams(2)])
            try server.collect(piece: piece)
            let settings: [[UInt8]] = [
                [0, 1, 0, 0, 16, 0, 0, 3, 0, 0, 0, 1], [0, 4, 0, 0, 3, 232], [0, 3, 0, 0, 1, 244, 0, 6, 0, 0, 31, 64],
                [0, 3, 0, 0, 0, 2],
            ]
            let frames = settings.map { frame(type: 4, payload: $0) }
            #expect(
                server.sent == frames[..<3].joined() + frame(type: 4, flags: 1) + frames[3], "in pieces of \(piece)")
        }
    }

    @Test func `a raised limit applies immediately`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer.answering(settings: [.maxConcurrentStreams(1)])
        try exchange(client, server)
        try server.session.updateSettings([.maxConcurrentStreams(3)])
        try exchange(client, server)
        for _ in 0..<3 { try client.request() }
        try exchange(client, server)
        #expect(server.streams.map(\.id) == [1, 3, 5])
        #expect(client.lines.filter { $0.hasPrefix("closed") }.allSatisfy { $0.hasSuffix("NO_ERROR") })
    }

    @Test(arguments: [1, 4096])
    func `a GOAWAY that is only sent changes neither streams nor session`(piece: Int) throws {
        let client = try TestPeer(.client)
        let server = try TestPeer(.server)
        try client.request()
        try client.request()
        try exchange(client, server, piece: piece)
        for last in [Int32.max, 1] {
            server.session.sayGoAway(lastStreamID: last, .noError, debugData: Array(#"{"reason":"Test"}"#.utf8))
        }
        try server.session.respond(to: server.streams[0], body: []) { $0.add(":status", "200") }
        try exchange(client, server, piece: piece)
        #expect(
            client.lines.filter { $0.hasPrefix("goaway") } == [
                #"goaway 2147483647 NO_ERROR {"reason":"Test"}"#, #"goaway 1 NO_ERROR {"reason":"Test"}"#,
            ])
        #expect(client.lines.contains("closed 1 NO_ERROR"))
        #expect(client.lines.contains("closed 3 REFUSED_STREAM"))
        #expect(server.openStreams == 1)
        #expect(!server.isFinished)
    }
}
