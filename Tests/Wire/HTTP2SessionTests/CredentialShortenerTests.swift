import APNSModel
import CNghttp2
import TestSeeds
import Testing

@testable import HTTP2Session

/// A server gets the bytes of a client in whole pieces, of which credentials are shortened, and one by one, of which none is: the
/// events are the same.
struct CredentialShortenerTests {
    private static let token = "bearer " + String(repeating: "eyJhbGciOiJFUzI1NiJ9.", count: 10)

    /// The client's header blocks, made by nghttp2, which writes credentials as literals in Huffman code.
    private final class Client {
        private var deflater: OpaquePointer?
        private var id: Int32 = -1

        init() { nghttp2_hd_deflate_new(&deflater, 4096) }
        deinit { nghttp2_hd_deflate_del(deflater) }

        /// A request, with further fields.
        func request(_ fields: [(String, String)], isPrioritized: Bool = false) -> [UInt8] {
            id += 2
            return head([(":method", "POST"), (":scheme", "https"), (":path", "/\(id)")] + fields, isPrioritized)
        }

        /// A head of the stream of the last request.
        func head(_ fields: [(String, String)], _ isPrioritized: Bool = false) -> [UInt8] {
            frame(
                type: 1, flags: 5 | (isPrioritized ? 0x20 : 0), stream: id,
                payload: (isPrioritized ? [0, 0, 0, 0, 15] : []) + block(fields))
        }

        func data(_ text: String) -> [UInt8] { frame(type: 0, stream: id, payload: Array(text.utf8)) }

        private func block(_ fields: [(String, String)]) -> [UInt8] {
            var block = [UInt8](repeating: 0, count: 16384)
            let values = fields.map { (UnsafeMutableBufferPointer.copy($0.0), UnsafeMutableBufferPointer.copy($0.1)) }
            defer {
                for (name, value) in values {
                    name.deallocate()
                    value.deallocate()
                }
            }
            let all = values.map {
                nghttp2_nv(
                    name: $0.0.baseAddress, value: $0.1.baseAddress, namelen: $0.0.count, valuelen: $0.1.count, flags: 0
                )
            }
            let count = nghttp2_hd_deflate_hd(deflater, &block, block.count, all, all.count)
            return Array(block[..<count])
        }
    }

    /// The events of a server that gets `pieces`, whole or byte by byte.
    private func events(_ pieces: [[UInt8]], whole: Bool) throws -> [String] {
        let server = try TestPeer(.server)
        try server.receive(preface)
        for piece in pieces {
            if whole { try server.receive(piece) } else { for byte in piece { try server.receive([byte]) } }
            try server.collect()
        }
        return server.lines
    }

    private func expectSame(_ pieces: [[UInt8]], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let whole = try events(pieces, whole: true)
        #expect(whole == (try events(pieces, whole: false)), sourceLocation: sourceLocation)
        #expect(whole.count > pieces.count, sourceLocation: sourceLocation)
    }

    @Test func `a credential is shortened from the second time on that it comes again`() throws {
        let client = Client()
        var shortener = CredentialShortener()
        var lengths: [Int] = []
        for _ in 0..<4 {
            var bytes = client.request([("authorization", CredentialShortenerTests.token)])
            bytes.withUnsafeMutableBytes { bytes in
                let isFound = shortener.find(in: UnsafeRawBufferPointer(bytes), heads: [0..<bytes.count])
                lengths.append(isFound ? bytes.count - shortener.shorten(bytes) : 0)
            }
        }
        #expect(lengths[0] == 0 && lengths[1] > 100 && lengths[2] == lengths[1] && lengths[3] == lengths[1])
    }

    @Test func `the server sees each request as it was sent`() throws {
        let client = Client()
        let other = CredentialShortenerTests.token + "x"
        let long = ("authorization", CredentialShortenerTests.token)
        let short = ("authorization", "*")
        var pieces = (0..<4).map { _ in client.request([long]) }
        // Another one in between, both within one piece, and a new one in a piece that begins with the old one.
        pieces.append(Array((0..<5).map { client.request([("authorization", $0 == 2 ? other : long.1)]) }.joined()))
        pieces.append(Array((0..<6).map { client.request([("authorization", $0 > 1 ? other : long.1)]) }.joined()))
        pieces += (0..<3).map { _ in client.request([("authorization", other)]) }
        // What stands for it, sent by the client itself; alone, before it and after it.
        for fields in [[short], [long, short], [long, long], [("apns-topic", "a.b"), long, ("apns-id", "*")]] {
            pieces.append(Array((0..<4).map { _ in client.request(fields) }.joined()))
        }
        pieces.append(Array((0..<3).map { _ in client.request([long], isPrioritized: true) }.joined()))
        try expectSame(pieces)
    }

    @Test func `trailers and bodies between heads are left as they are`() throws {
        let client = Client()
        let long = ("authorization", CredentialShortenerTests.token)
        var pieces: [[UInt8]] = []
        for _ in 0..<4 {
            var piece = client.request([long])
            piece[4] = 4  // its body follows
            pieces.append(piece + client.data("{}") + client.head([long]))
        }
        try expectSame(pieces)
    }

    @Test func `a value with bytes that HTTP does not allow is refused each time`() throws {
        let client = Client()
        let pieces = (0..<4).map { _ in
            client.request([("authorization", CredentialShortenerTests.token + "\u{1}")])
        }
        let lines = try events(pieces, whole: true)
        #expect(lines.filter { $0.hasPrefix("head") } == [])
        #expect(lines == (try events(pieces, whole: false)))
    }

    @Test(arguments: TestSeed.all(0..<50))
    func `random heads in random pieces`(seed: TestSeed) throws {
        var random = seed.generator
        let client = Client()
        let values = [CredentialShortenerTests.token, CredentialShortenerTests.token + "y", "*", ""]
        var bytes: [UInt8] = []
        for _ in 0..<60 {
            let count = [1, 1, 1, 1, 0, 2].randomElement(using: &random) ?? 1
            let fields = (0..<count).map { _ in
                ("authorization", values[[0, 0, 0, 0, 1, 1, 2, 3].randomElement(using: &random) ?? 0])
            }
            bytes += client.request(fields + [("apns-priority", "5")], isPrioritized: Bool.random(using: &random))
        }
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let length = min(Int.random(in: 1...2000, using: &random), rest.count)
            pieces.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        try expectSame(pieces)
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    fileprivate static func copy(_ text: String) -> UnsafeMutableBufferPointer<UInt8> {
        let copy = UnsafeMutableBufferPointer.allocate(capacity: Swift.max(1, text.utf8.count))
        _ = copy.initialize(from: text.utf8)
        return UnsafeMutableBufferPointer(start: copy.baseAddress, count: text.utf8.count)
    }
}
