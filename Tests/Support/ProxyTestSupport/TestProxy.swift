import APNSTransport
import NIOCore
import NIOPosix
import Synchronization
package import TLSSession

/// An HTTP proxy on a loopback port, for tests. It does what its script says with each CONNECT.
package final class TestProxy: Sendable {
    package enum Answer: Sendable {
        /// Opens the tunnel to what the request names, or to this port of this machine, and writes the head in pieces of
        /// this many bytes.
        case tunnel(port: Int? = nil, head: String = "HTTP/1.1 200 Connection established\r\n\r\n", pieces: Int = .max)
        /// Writes this text.
        case text(String)
        /// Writes nothing.
        case silence
        case close
    }

    private final class Log: Sendable {
        let heads = Mutex<[String]>([])
    }

    package let port: Int
    private let log = Log()
    private let channel: any Channel
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// - Parameters:
    ///   - tls: The proxy's own TLS; nil is without.
    ///   - script: Gets the head of a request.
    package init(
        tls: TLSContext? = nil, _ script: @escaping @Sendable (_ head: String) -> Answer = { _ in .tunnel() }
    ) async throws {
        let log = log
        channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        let ready = channel.eventLoop.makePromise(of: Void.self)
                        try channel.pipeline.syncOperations.addHandler(
                            TLSHandler(TLSSession(server: tls), ready: ready))
                    }
                    try channel.pipeline.syncOperations.addHandler(
                        ConnectHandler { head in
                            log.heads.withLock { $0.append(head) }
                            return script(head)
                        })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    /// The heads of the requests, in the order in which they came.
    package var heads: [String] { log.heads.withLock { $0 } }

    package func stop() async throws {
        try? await channel.close()
        try await group.shutdownGracefully()
    }

    /// Runs `body` with a proxy, and stops it.
    package static func with(
        tls: TLSContext? = nil, _ script: @escaping @Sendable (_ head: String) -> Answer = { _ in .tunnel() },
        _ body: (TestProxy) async throws -> Void
    ) async throws {
        let proxy = try await TestProxy(tls: tls, script)
        do {
            try await body(proxy)
        } catch {
            try? await proxy.stop()
            throw error
        }
        try await proxy.stop()
    }
}

/// Reads the head of a request, and then copies between its client and the other end of the tunnel.
private final class ConnectHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: (String) -> TestProxy.Answer
    private var head = ""
    private var isAnswered = false
    /// The other end, once it is connected, and what came for it before.
    private var peer: (any Channel)?
    private var waiting: [ByteBuffer] = []

    init(answer: @escaping (String) -> TestProxy.Answer) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if isAnswered {
            if let peer { peer.writeAndFlush(bytes, promise: nil) } else { waiting.append(bytes) }
            return
        }
        head += String(buffer: bytes)
        guard head.hasSuffix("\r\n\r\n") else { return }
        isAnswered = true
        switch answer(head) {
        case .tunnel(let port, let text, let pieces): open(context, port, text, pieces)
        case .text(let text): context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        case .silence: break
        case .close: context.close(promise: nil)
        }
    }

    private func open(_ context: ChannelHandlerContext, _ port: Int?, _ text: String, _ pieces: Int) {
        let target = head.split(separator: " ")[1]
        let colon = target.lastIndex(of: ":") ?? target.endIndex
        let host = port == nil ? String(target[..<colon].filter { $0 != "[" && $0 != "]" }) : "127.0.0.1"
        let client = context.channel
        let loop = context.eventLoop
        ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(CopyHandler(to: client))
                }
            }
            .connect(host: host, port: port ?? Int(target[colon...].dropFirst()) ?? 0)
            .assumeIsolated()
            .whenComplete { result in
                guard case .success(let channel) = result else {
                    client.writeAndFlush(ByteBuffer(string: "HTTP/1.1 502 Bad Gateway\r\n\r\n"), promise: nil)
                    return
                }
                var rest = Array(text.utf8)[...]
                while !rest.isEmpty {
                    client.writeAndFlush(ByteBuffer(bytes: rest.prefix(pieces)), promise: nil)
                    rest = rest.dropFirst(pieces)
                }
                self.peer = channel
                for bytes in self.waiting { channel.writeAndFlush(bytes, promise: nil) }
                self.waiting = []
            }
    }

    func channelInactive(context: ChannelHandlerContext) { peer?.close(promise: nil) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Copies what the other end of a tunnel sends.
private final class CopyHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let client: any Channel

    init(to client: any Channel) { self.client = client }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        client.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { client.close(promise: nil) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
