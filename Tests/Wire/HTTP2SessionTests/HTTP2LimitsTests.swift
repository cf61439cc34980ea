import APNSModel
import HTTP2Session
import TestSeeds
import Testing

struct HTTP2LimitsTests {
    @Test func `a header list that is too long resets its stream and no other`() throws {
        var limits = HTTP2Limits.server
        limits.headerListBytes = 400
        let client = try TestPeer(.client)
        let server = try TestPeer.answering(limits: limits)
        try client.request("/" + String(repeating: "a", count: 400))
        try client.request()
        try exchange(client, server)
        #expect(client.lines.contains { $0.hasPrefix("closed 1 ") && $0 != "closed 1 NO_ERROR" })
        #expect(client.lines.contains("closed 3 NO_ERROR"))
        #expect(server.streams.map(\.id) == [3])
    }

    @Test func `the beginning of a long body is stored and the rest is counted`() throws {
        var limits = HTTP2Limits.server
        limits.storedBodyBytes = 10
        limits.bodyBytes = 1000
        let client = try TestPeer(.client)
        let server = try TestPeer.answering(limits: limits)
        try client.request(body: String(repeating: "b", count: 1000))
        try exchange(client, server)
        #expect(server.lines.contains("body 1 bbbbbbbbbb"))
        #expect(server.lines.contains("end 1 1000"))
    }

    @Test func `an endless body is answered before its end, and its stream is reset after the response`() throws {
        var limits = HTTP2Limits.server
        limits.storedBodyBytes = 10
        limits.bodyBytes = 1000
        let client = try TestPeer(.client)
        let server = try TestPeer(.server, limits: limits)
        try exchange(client, server)
        try client.request(body: String(repeating: "b", count: 300_000))
        while !server.lines.contains("too long 1") {
            try client.collect()
            let bytes = client.outbox
            client.outbox = []
            try server.receive(bytes)
        }
        try server.session.respond(to: server.streams[0], body: Array("no".utf8), isRequestIncomplete: true) {
            $0.add(":status", "413")
        }
        try exchange(client, server)
        #expect(client.lines.suffix(4) == ["head 1 :status=413", "body 1 no", "end 1 2", "closed 1 NO_ERROR"])
        #expect(server.openStreams == 0)
        #expect(server.lines.filter { $0.hasPrefix("end") }.isEmpty)
    }

    static let floods: [(String, [UInt8])] = [
        ("PING", frame(type: 6, payload: [UInt8](repeating: 1, count: 8))),
        ("SETTINGS", frame(type: 4)),
        ("PRIORITY", frame(type: 2, stream: 1, payload: [0, 0, 0, 0, 1])),
        ("empty DATA", frame(type: 0, stream: 1)),
        ("WINDOW_UPDATE", frame(type: 8, payload: [0, 0, 0, 1])),
    ]

    @Test(arguments: floods)
    func `a flood of frames ends the connection with ENHANCE_YOUR_CALM`(name: String, piece: [UInt8]) throws {
        let server = try TestPeer(.server)
        try server.receive(preface + frame(type: 1, flags: 4, stream: 1, payload: requestHead))
        var rounds = 0
        while !server.isFinished, rounds < 1100 {
            rounds += 1
            try server.receive(Array(repeatElement(piece, count: 100).joined()))
            try server.collect()
        }
        #expect(server.isFinished, "\(name) frames never ended the connection")
        #expect(goAwayCode(in: server.sent) == HTTP2ErrorCode.enhanceYourCalm)
        // Newer versions of nghttp2 count PRIORITY frames themselves.
        guard name != "PRIORITY" || ConformanceCase.checksPriorities else { return }
        #expect(server.session.violation?.contains(name) == true)
    }

    @Test func `a server that updates windows while it answers is no flood`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer.answering()
        try exchange(client, server)
        func updates(_ count: Int) -> [UInt8] {
            Array(repeatElement(frame(type: 8, payload: [0, 0, 0, 1]), count: count).joined())
        }
        try client.receive(updates(50_000))
        // All in one moment: a sender of 300,000 notifications a second gets more than 50,000 in a second.
        for _ in 0..<4000 {
            try client.request()
            try exchange(client, server)
            try client.receive(updates(25))
        }
        #expect(!client.isFinished && client.session.violation == nil)
    }

    @Test func `a rapid reset ends the connection`() throws {
        let server = try TestPeer(.server)
        try server.receive(preface)
        var id: Int32 = 1
        while !server.isFinished, id < 20_000 {
            try server.receive(
                frame(type: 1, flags: 5, stream: id, payload: requestHead)
                    + frame(type: 3, stream: id, payload: [0, 0, 0, 8]))
            try server.collect()
            id += 2
        }
        #expect(id / 2 == 2002 - 1)
        #expect(server.isFinished)
        #expect(goAwayCode(in: server.sent) == HTTP2ErrorCode.enhanceYourCalm)
    }

    @Test func `a client that does not read cannot make refusals accumulate`() throws {
        let server = try TestPeer(.server, settings: [.maxConcurrentStreams(1)])
        try server.receive(preface)
        try server.collect()
        for index: Int32 in 0...2001 {
            try server.receive(frame(type: 1, flags: 5, stream: 1 + 2 * index, payload: requestHead))
        }
        try server.collect()
        #expect(!server.isFinished)
        for index: Int32 in 2002...4100 {
            try server.receive(frame(type: 1, flags: 5, stream: 1 + 2 * index, payload: requestHead))
        }
        try server.collect()
        #expect(server.isFinished)
        #expect(goAwayCode(in: server.sent) == HTTP2ErrorCode.enhanceYourCalm)
    }

    @Test func `an endless header block ends the connection`() throws {
        let server = try TestPeer(.server)
        try server.receive(preface + frame(type: 1, stream: 1, payload: requestHead))
        for _ in 0..<20 where !server.isFinished {
            try server.receive(frame(type: 9, stream: 1, payload: []))
            try server.collect()
        }
        #expect(server.isFinished)
        #expect(goAwayCode(in: server.sent) == HTTP2ErrorCode.enhanceYourCalm)
    }

    @Test func `the same number of frames over a longer time is no flood`() throws {
        let server = try TestPeer(.server)
        try server.receive(preface)
        for second in 0..<100 {
            server.now = MonotonicTime(nanoseconds: Int64(second) * 1_000_000_000)
            for _ in 0..<15 {
                try server.receive(frame(type: 6, payload: [UInt8](repeating: 1, count: 8)))
                try server.collect()
            }
        }
        #expect(!server.isFinished)
    }

    @Test(arguments: TestSeed.all(1...8))
    func `random bytes never crash either side`(seed: TestSeed) throws {
        var generator = seed.generator
        for round in 0..<50 {
            let server = try TestPeer(.server)
            let client = try TestPeer(.client)
            try client.request()
            try client.collect()
            let noise = (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
            var bytes = round.isMultiple(of: 2) ? client.sent : preface
            for _ in 0..<3 where round.isMultiple(of: 4) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = noise[0]
            }
            for piece in [bytes, noise] {
                try? server.receive(piece)
                try? server.collect()
                try? client.receive(noise)
                try? client.collect()
            }
        }
    }

    private func goAwayCode(in bytes: [UInt8]) -> HTTP2ErrorCode? {
        SentError.all(in: bytes).last { $0.isGoAway }?.code
    }
}
