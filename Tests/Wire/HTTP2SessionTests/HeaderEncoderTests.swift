import APNSModel
import HTTP2Session
import TestSeeds
import Testing

/// The header blocks of one side, as nghttp2 decodes them at the other.
struct HeaderEncoderTests {
    /// A head as a test makes it, and as the other side's events contain it.
    typealias Field = (name: StaticString, value: String, isIndexed: Bool)

    private static let names: [StaticString] = [
        "authorization", "apns-topic", "apns-push-type", "apns-id", "apns-priority", "apns-expiration",
        "apns-collapse-id", "apns-channel-id",
    ]

    private var roomy: HTTP2Limits {
        var limits = HTTP2Limits.server
        limits.headerListBytes = 20000
        return limits
    }

    private func request(_ fields: [Field], from client: TestPeer) throws -> HTTP2Stream {
        try client.session.request(body: []) { head in
            head.add(":method", "POST")
            head.add(":scheme", "https")
            head.add(":authority", "localhost")
            head.add(":path", "/3/device/\(fields.count)", isIndexed: false)
            for field in fields { head.add(field.name, field.value, isIndexed: field.isIndexed) }
        }
    }

    private func line(_ stream: Int32, _ fields: [Field]) -> String {
        "head \(stream) :method=POST :scheme=https :authority=localhost :path=/3/device/\(fields.count)"
            + fields.map { " \($0.name)=\($0.value)" }.joined()
    }

    /// Fields of which some repeat, some differ, and some evict all others from the table.
    private func randomFields(_ random: inout TestGenerator) -> [Field] {
        HeaderEncoderTests.names.compactMap { name in
            guard Int.random(in: 0..<5, using: &random) > 0 else { return nil }
            let length = [0, 1, 3, 40, 126, 127, 128, 200, 900][Int.random(in: 0..<9, using: &random)]
            let letter = ["a", "b", "~"][Int.random(in: 0..<3, using: &random)]
            return (name, String(repeating: letter, count: length), Int.random(in: 0..<3, using: &random) > 0)
        }
    }

    @Test(arguments: TestSeed.all(0..<20))
    func `any fields in any order arrive unchanged`(seed: TestSeed) throws {
        var random = seed.generator
        let client = try TestPeer(.client)
        let server = try TestPeer(.server, limits: roomy)
        try exchange(client, server)
        var expected: [String] = []
        for _ in 0..<200 {
            // Several requests at once, so that several blocks wait when the table changes.
            for _ in 0..<Int.random(in: 1..<4, using: &random) {
                let fields = randomFields(&random)
                let stream = try request(fields, from: client)
                switch Int.random(in: 0..<8, using: &random) {
                case 0: client.session.reset(stream, .cancel)  // before it was sent, so it never will be
                default: expected.append(line(stream.id, fields))
                }
            }
            if Int.random(in: 0..<10, using: &random) == 0 {
                let sizes: [UInt32] = [0, 1, 100, 500, 4096, 65536]
                for _ in 0..<Int.random(in: 1..<3, using: &random) {
                    let size = sizes[Int.random(in: 0..<sizes.count, using: &random)]
                    try server.session.updateSettings([.headerTableSize(size)])
                }
            }
            try exchange(client, server)
        }
        #expect(server.lines.filter { $0.hasPrefix("head") } == expected)
        #expect(client.session.peerError == "" && server.session.peerError == "")
    }

    @Test func `a repeated field takes one byte, and so does the provider token`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer(.server)
        try exchange(client, server)
        let token = "bearer " + String(repeating: "x", count: 200)
        let fields: [Field] = [
            ("authorization", token, true), ("apns-topic", "com.example.agent", true), ("apns-id", "1", false),
        ]
        var sizes: [Int] = []
        for _ in 0..<3 {
            let before = client.sent.count
            _ = try request(fields, from: client)
            try exchange(client, server)
            sizes.append(client.sent.count - before)
        }
        #expect(sizes[0] > 230)
        // A frame header; an index each for method, scheme, authority, provider token and topic; the path behind the index
        // of its name, with its length; the id the same.
        #expect(sizes[1...] == [9 + 5 + 13 + 4, 9 + 5 + 13 + 4])
    }

    @Test func `with a table size of 0 the table is not used`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer(.server, settings: [.headerTableSize(0)])
        try exchange(client, server)
        for number in 1...3 {
            let fields: [Field] = [("apns-topic", "com.example.agent", true), ("apns-id", "\(number)", false)]
            let before = client.sent.count
            let stream = try request(fields, from: client)
            try exchange(client, server)
            #expect(server.lines.contains(line(stream.id, fields)))
            #expect(client.sent.count - before > 40)
        }
    }

    @Test func `a table whose size is set to 0 and back in one frame is empty`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer(.server)
        try exchange(client, server)
        let fields: [Field] = [("apns-topic", "com.example.agent", true)]
        _ = try request(fields, from: client)
        try exchange(client, server)
        try server.session.updateSettings([.headerTableSize(0), .headerTableSize(4096)])
        try exchange(client, server)
        for _ in 0..<2 {
            let stream = try request(fields, from: client)
            try exchange(client, server)
            #expect(server.lines.contains(line(stream.id, fields)))
        }
    }

    @Test func `a head that fills a frame is sent, and a larger one is refused before any of it is sent`() throws {
        let client = try TestPeer(.client)
        let server = try TestPeer(.server, limits: roomy)
        try exchange(client, server)
        let before = client.sent.count
        #expect(throws: HTTP2Error.self) {
            _ = try request([("apns-topic", String(repeating: "x", count: 16384), true)], from: client)
        }
        try exchange(client, server)
        #expect(client.sent.count == before)
        let fields: [Field] = [("apns-topic", String(repeating: "x", count: 16000), true)]
        let stream = try request(fields, from: client)
        try exchange(client, server)
        #expect(server.lines.contains(line(stream.id, fields)))
    }

    @Test func `requests that are never sent free their memory`() throws {
        let client = try TestPeer(.client)
        for _ in 0..<300 { _ = try request([("apns-topic", String(repeating: "x", count: 2000), true)], from: client) }
        #expect(client.session.openStreams == 300)
    }
}
