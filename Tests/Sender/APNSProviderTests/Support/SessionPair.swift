import APNSModel
import HTTP2Session
import Testing

/// The two sessions of an HTTP/2 connection in memory.
final class SessionPair {
    var client: HTTP2Session
    var server: HTTP2Session
    private var serverStreams: [Int32: HTTP2Stream] = [:]

    init(settings: [HTTP2Setting] = [.maxConcurrentStreams(100)], clientLimits: HTTP2Limits = .client) throws {
        client = try HTTP2Session(.client, limits: clientLimits)
        server = try HTTP2Session(.server, limits: .server)
        try client.start([.enablePush(false)])
        try server.start(settings)
    }

    /// Writes a request of the client.
    func request(_ apnsID: String = "ID", body: [UInt8] = [1]) throws -> HTTP2Stream {
        try client.request(body: body) { fields in
            fields.add(":method", "POST")
            fields.add(":scheme", "https")
            fields.add(":path", "/3/device/ab")
            fields.add(":authority", "localhost")
            fields.add("apns-id", apnsID)
        }
    }

    /// Moves bytes both ways until neither session has more.
    func exchange() throws {
        var hasMore = true
        while hasMore {
            var toServer = try SessionPair.output(of: &client)
            try toServer.withUnsafeMutableBytes { try server.receive($0, at: .zero) }
            let batch = server.takeEvents()
            for case .head(let stream, _) in batch.events { serverStreams[stream.id] = stream }
            server.recycle(batch)
            var toClient = try SessionPair.output(of: &server)
            try toClient.withUnsafeMutableBytes { try client.receive($0, at: .zero) }
            hasMore = !toServer.isEmpty || !toClient.isEmpty
        }
    }

    /// The server's stream for a stream of the client, whose request has arrived.
    func serverStream(_ stream: HTTP2Stream) throws -> HTTP2Stream { try #require(serverStreams[stream.id]) }

    /// Answers a stream of the client.
    func respond(
        _ stream: HTTP2Stream, status: String, _ others: [(StaticString, String)] = [], body: String = ""
    ) throws {
        try server.respond(to: serverStream(stream), body: Array(body.utf8)) { fields in
            fields.add(":status", status)
            for (name, value) in others { fields.add(name, value) }
        }
    }

    /// The events of the client since the last call.
    func events<Result>(_ body: (borrowing HTTP2EventBatch) throws -> Result) rethrows -> Result {
        let batch = client.takeEvents()
        let result = try body(batch)
        client.recycle(batch)
        return result
    }

    private static func output(of session: inout HTTP2Session) throws -> [UInt8] {
        var output: [UInt8] = []
        while true {
            var buffer = [UInt8](repeating: 0, count: 16384)
            let count = try buffer.withUnsafeMutableBytes { try session.send(into: $0) }
            guard count > 0 else { return output }
            output += buffer[..<count]
        }
    }
}
