import APNSTransport
import NIOCore
import NIOPosix
import Synchronization
import TLSSession

/// A server on a loopback port that does one thing wrong, and counts its connections.
final class FaultyServer: Sendable {
    enum Behaviour: Sendable {
        /// Accepts TCP, and says nothing.
        case mute
        /// Answers the first bytes with this text, without TLS.
        case plain(String)
        case closes
        /// TLS, and this text as soon as the handshake is done.
        case tls(TLSContext, String)
    }

    private final class Counter: Sendable {
        let value = Atomic(0)
    }

    let port: Int
    private let counter: Counter
    private let channel: any Channel
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    var connections: Int { counter.value.load(ordering: .sequentiallyConsistent) }

    private init(_ behaviour: Behaviour) async throws {
        let counter = Counter()
        self.counter = counter
        channel = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                counter.value.add(1, ordering: .sequentiallyConsistent)
                return channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    switch behaviour {
                    case .mute: break
                    case .plain(let text): try pipeline.addHandler(TextHandler(text, atOnce: false))
                    case .closes: channel.close(promise: nil)
                    case .tls(let context, let text):
                        let ready = channel.eventLoop.makePromise(of: Void.self)
                        try pipeline.addHandler(TLSHandler(TLSSession(server: context), ready: ready))
                        try pipeline.addHandler(TextHandler(text, atOnce: true))
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    static func with(_ behaviour: Behaviour, _ body: (FaultyServer) async throws -> Void) async throws {
        let server = try await FaultyServer(behaviour)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        try? await server.channel.close()
        try await server.group.shutdownGracefully()
        try result.get()
    }
}

/// Writes a text, at once or after the first bytes.
private final class TextHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let text: String
    private let atOnce: Bool
    private var isDone = false

    init(_ text: String, atOnce: Bool) {
        self.text = text
        self.atOnce = atOnce
    }

    func handlerAdded(context: ChannelHandlerContext) { if atOnce { write(context) } }
    func channelRead(context: ChannelHandlerContext, data: NIOAny) { write(context) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func write(_ context: ChannelHandlerContext) {
        guard !isDone, !text.isEmpty else { return }
        isDone = true
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }
}
