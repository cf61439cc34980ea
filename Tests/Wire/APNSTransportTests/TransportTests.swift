import APNSModel
import APNSTransport
import Foundation
import HTTP2Session
import NIOCore
import NIOPosix
import TLSSession
import Synchronization
import Testing

struct TransportTests {
    /// The events of one end, in order.
    final class Recorder: Sendable {
        let events = AsyncStream.makeStream(of: String.self)
        /// The sentence of the last error.
        let detail = Mutex("")

        /// Waits for the next event.
        func next() async -> String? {
            for await event in events.stream { return event }
            return nil
        }
    }

    final class Peer: ConnectionDelegate {
        let recorder: Recorder
        let onOpen: (Connection<Peer>) -> Void

        init(_ recorder: Recorder, onOpen: @escaping (Connection<Peer>) -> Void = { try? $0.http2.start([]) }) {
            self.recorder = recorder
            self.onOpen = onOpen
        }

        func connectionOpened(_ connection: Connection<Peer>) {
            recorder.events.continuation.yield("opened")
            onOpen(connection)
        }

        func connection(_ connection: Connection<Peer>, received batch: borrowing HTTP2EventBatch) {
            for event in batch.events {
                switch event {
                case .end(let stream, let bodyBytes):
                    recorder.events.continuation.yield("end \(bodyBytes)")
                    try? connection.http2.respond(to: stream, body: []) { $0.add(":status", "200") }
                default: break
                }
            }
        }

        func clientLeft() { recorder.events.continuation.yield("left") }

        func connectionClosed(_ connection: Connection<Peer>, error: TransportError?) {
            recorder.detail.withLock { $0 = error?.detail ?? "" }
            recorder.events.continuation.yield("closed \(error?.code.rawValue ?? "")")
        }
    }

    struct Server {
        let recorder = Recorder()
        let authority: [UInt8]
        let channel: any Channel
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var port: Int { channel.localAddress!.port! }

        init(
            alpn: [String] = ["h2"], handshakeTimeout: TimeAmount = .seconds(60),
            onOpen: @escaping @Sendable (Connection<Peer>) -> Void = { try? $0.http2.start([]) }
        ) async throws {
            let validity = CertificateValidity(days: 2, from: Int64(Date().timeIntervalSince1970))
            let ca = try DevelopmentAuthority(validity: validity)
            authority = try ca.certificatePEM
            let tls = try TLSContext.server(
                identity: try ca.server(validity: validity), clientTrust: nil, alpn: alpn)
            let recorder = recorder
            channel = try await TransportServer.bind(
                host: "127.0.0.1", port: 0, tls: tls, limits: .server, handshakeTimeout: handshakeTimeout, on: group
            ) { _ in Peer(recorder, onOpen: onOpen) }.get()
        }

        func stop() async throws {
            try await channel.close()
            try await group.shutdownGracefully()
        }

        /// Connects a client that sends one request with `body` as soon as it is allowed.
        func connect(
            body: [UInt8] = [1, 2, 3], host: String = "127.0.0.1", alpn: [String] = ["h2"],
            resolver: (any Resolver & Sendable)? = nil, proxy: TransportProxy? = nil,
            timeout: TimeAmount = .seconds(10), _ recorder: Recorder,
            opened: @escaping @Sendable (NIOLoopBound<Connection<Peer>>) -> Void = { _ in }
        ) async throws {
            let endpoint = TransportEndpoint(
                host: host, port: port,
                tls: try TLSContext.client(trust: .certificates(pem: authority), identity: nil, alpn: alpn),
                proxy: proxy)
            let loop = group.next()
            try await loop.flatSubmit {
                let peer = Peer(recorder) { connection in
                    try? connection.http2.start([])
                    opened(NIOLoopBound(connection, eventLoop: loop))
                    _ = try? connection.http2.request(body: body) { fields in
                        fields.add(":method", "POST")
                        fields.add(":scheme", "https")
                        fields.add(":authority", "localhost")
                        fields.add(":path", "/")
                    }
                }
                return TransportClient.connect(
                    to: endpoint, limits: .client, timeout: timeout, on: loop, resolver: resolver, delegate: peer)
            }.get()
        }
    }

    @Test func `the flood that ended a connection is in the error of the end that found it`() async throws {
        let server = try await Server { connection in
            try? connection.http2.start([])
            for number in 0..<1000 { connection.http2.ping(UInt64(number)) }
        }
        let client = Recorder()
        try await server.connect(client)
        while let event = await client.next(), !event.hasPrefix("closed") {}
        #expect(client.detail.withLock { $0 } == "the peer broke HTTP/2: too many PING frames (ENHANCE_YOUR_CALM)")
        try await server.stop()
    }

    @Test(arguments: [1, 16_384, 60_000])
    func `a request goes over a socket and its answer comes back`(bytes: Int) async throws {
        let server = try await Server()
        let client = Recorder()
        try await server.connect(body: [UInt8](repeating: 7, count: bytes), client)
        #expect(await client.next() == "opened")
        #expect(await server.recorder.next() == "opened")
        #expect(await server.recorder.next() == "end \(bytes)")
        #expect(await client.next() == "end 0")
        try await server.stop()
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "\u{16}\u{3}\u{1}\u{ff}\u{ff}", "rubbish"])
    func `a peer that does not speak TLS is closed, and the next one is served`(words: String) async throws {
        let server = try await Server()
        let raw = try await ClientBootstrap(group: server.group).connect(host: "127.0.0.1", port: server.port).get()
        try await raw.writeAndFlush(ByteBuffer(string: words))
        #expect(await server.recorder.next() == "closed handshakeFailed")
        try? await raw.closeFuture.get()
        let client = Recorder()
        try await server.connect(client)
        #expect(await client.next() == "opened")
        try await server.stop()
    }

    /// A resolver that returns these addresses.
    struct Addresses: Resolver {
        let addresses: [String]
        let loop: any EventLoop

        func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
            loop.makeSucceededFuture(addresses.compactMap { try? SocketAddress(ipAddress: $0, port: port) })
        }

        func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
            loop.makeSucceededFuture([])
        }

        func cancelQueries() {}
    }

    @Test func `an address of a host that refuses is skipped, and the next one is used`() async throws {
        let server = try await Server()
        let client = Recorder()
        let resolver = Addresses(addresses: ["127.0.0.2", "127.0.0.1"], loop: server.group.next())
        try await server.connect(host: "localhost", resolver: resolver, client)
        #expect(await client.next() == "opened")
        #expect(await client.next() == "end 0")
        try await server.stop()
    }

    @Test func `a peer that sends nothing is closed`() async throws {
        let server = try await Server(handshakeTimeout: .milliseconds(50))
        let raw = try await ClientBootstrap(group: server.group).connect(host: "127.0.0.1", port: server.port).get()
        #expect(await server.recorder.next() == "left")
        try await raw.closeFuture.get()
        try await server.stop()
    }

    @Test func `a peer that leaves before it sends a byte has no connection`() async throws {
        let server = try await Server()
        let raw = try await ClientBootstrap(group: server.group).connect(host: "127.0.0.1", port: server.port).get()
        try await raw.close()
        #expect(await server.recorder.next() == "left")
        let client = Recorder()
        try await server.connect(client)
        #expect(await client.next() == "opened")
        try await server.stop()
    }

    @Test func `a server accepts a client without ALPN, and a client requires it`() async throws {
        let server = try await Server()
        let client = Recorder()
        try await server.connect(alpn: [], client)
        #expect(await server.recorder.next() == "opened")
        #expect(await client.next() == "closed handshakeFailed")
        try await server.stop()
    }

    @Test func `a client that offers only other protocols is refused`() async throws {
        let server = try await Server()
        let client = Recorder()
        try await server.connect(alpn: ["http/1.1"], client)
        #expect(await server.recorder.next() == "closed handshakeFailed")
        #expect(await client.next() == "closed handshakeFailed")
        try await server.stop()
    }

    @Test func `a server without HTTP 2 is refused`() async throws {
        let server = try await Server(alpn: ["http/1.1"])
        let client = Recorder()
        try await server.connect(client)
        #expect(await client.next() == "closed handshakeFailed")
        try await server.stop()
    }

    @Test func `a silent connection reads no request, and ends when the peer closes it`() async throws {
        let server = try await Server {
            try? $0.http2.start([])
            $0.fallSilent()
        }
        let client = Recorder()
        let connections = AsyncStream.makeStream(of: NIOLoopBound<Connection<Peer>>.self)
        try await server.connect(client) { connections.continuation.yield($0) }
        #expect(await client.next() == "opened")
        #expect(await server.recorder.next() == "opened")
        for await connection in connections.stream {
            try await server.group.next().submit { connection.value.close() }.get()
            break
        }
        #expect(await client.next() == "closed ")
        #expect(await server.recorder.next() == "closed closedByPeer")
        try await server.stop()
    }

    @Test func `a connection that is reset breaks at its peer`() async throws {
        let server = try await Server {
            try? $0.http2.start([])
            $0.reset()
        }
        let client = Recorder()
        try await server.connect(client)
        #expect(await server.recorder.next() == "opened")
        #expect(await server.recorder.next() == "closed ")
        var last: String?
        repeat { last = await client.next() } while last == "opened"
        #expect(last == "closed closedByPeer")
        try await server.stop()
    }
}
