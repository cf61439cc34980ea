import NIOCore
import NIOPosix

@testable import RedisClient

/// A server that sends the same bytes to each client, once the client has sent something, and keeps the connection open or
/// closes it.
final class FakeServer: Sendable {
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private var answer: String?
        private let closes: Bool

        init(_ answer: String, closes: Bool) {
            self.answer = answer
            self.closes = closes
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard let answer else { return }
            self.answer = nil
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
            if closes { context.close(promise: nil) }
        }
    }

    private let channel: any Channel

    init(_ answer: String, closes: Bool = false) async throws {
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(answer, closes: closes))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var address: RedisAddress { RedisAddress(host: "127.0.0.1", port: channel.localAddress?.port ?? 0) }

    func end() async throws { try await channel.close() }
}
