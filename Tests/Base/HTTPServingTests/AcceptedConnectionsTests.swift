import HTTPServing
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AcceptedConnectionsTests {
    private static let group = MultiThreadedEventLoopGroup.singleton

    /// The process ends where the server drops a connection that it has accepted and not begun to serve.
    @Test(arguments: 1...8)
    func `a server stops in order while connections come`(round: Int) async throws {
        let accepted = AcceptedConnections()
        let (listeners, bound) = AsyncStream.makeStream(of: (any Channel).self)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let server = Server(
            childChannelSetup: accepted.channel(HTTP1Channel(responder: { _, _, _ in })),
            configuration: ServerConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { listener in bound.yield(listener) }, eventLoopGroup: AcceptedConnectionsTests.group,
            logger: logger)
        let running = Task { try await server.run() }
        var iterator = listeners.makeAsyncIterator()
        let listener = try #require(await iterator.next())
        let port = try #require(listener.localAddress?.port)
        let coming = Task { await AcceptedConnectionsTests.connect(to: port) }
        for channel in await AcceptedConnectionsTests.connect(to: port, atMost: 100) { try? await channel.close() }
        try? await listener.close()
        running.cancel()
        _ = await running.result
        await accepted.close()
        for channel in await coming.value { try? await channel.close() }
    }

    /// Opens connections, twenty at a time, until the port refuses.
    private static func connect(to port: Int, atMost limit: Int = 2000) async -> [any Channel] {
        let bootstrap = ClientBootstrap(group: group)
        var channels: [any Channel] = []
        while channels.count < limit {
            let opening = (0..<20).map { _ in bootstrap.connect(host: "127.0.0.1", port: port) }
            var hasFailed = false
            for channel in opening {
                if let channel = try? await channel.get() { channels.append(channel) } else { hasFailed = true }
            }
            if hasFailed { break }
        }
        return channels
    }
}
