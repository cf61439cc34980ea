import NIOCore
import NIOPosix
import RedisClient
import Synchronization

/// A master that says of each script that it has added a job.
final class FakeMaster: Sendable {
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private var reader = RedisReader()
        private let wait: String
        private let closes: Bool
        private var isClosed = false

        init(wait: String, closes: Bool) {
            self.wait = wait
            self.closes = closes
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let buffer = unwrapInboundIn(data)
            try? buffer.withUnsafeReadableBytes { bytes in try reader.receive(bytes) }
            while !isClosed, let command = try? reader.next() {
                let name = command.array?.first?.string ?? ""
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer(to: name) + "\r\n")), promise: nil)
                guard closes, name == "EVALSHA" else { continue }
                isClosed = true
                context.close(promise: nil)
            }
        }

        private func answer(to command: String) -> String {
            switch command {
            case "SCRIPT": "$40\r\n" + String(repeating: "a", count: 40)
            case "EVALSHA": "*2\r\n:1\r\n:0"
            case "WAIT": wait
            default: "+OK"
            }
        }
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    private let channel: any Channel

    /// - Parameters:
    ///   - wait: The answer to WAIT.
    ///   - losesFirst: Whether the first connection ends behind the answer to a script, as in a failover. The next one is to the
    ///     new master.
    init(wait: String = ":1", losesFirst: Bool = false) async throws {
        let counter = Counter()
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = Handler(wait: wait, closes: counter.next() == 1 && losesFirst)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    var url: String { "redis://127.0.0.1:\(channel.localAddress?.port ?? 0)/0?wait=1" }

    func end() async throws { try await channel.close() }
}
