import GatewayTestSupport
import GatewayTesting
import NIOCore
import NIOPosix
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ControlStopTests {
    /// The process stops where the server drops a connection that it has accepted and not begun to serve.
    @Test(arguments: 1...5)
    func `a gateway stops in order while connections come`(round: Int) async throws {
        let channels = try await withGateway { gateway in
            let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            let port = gateway.control.port
            let opening = (0..<250).map { _ in bootstrap.connect(host: "127.0.0.1", port: port) }
            var channels: [any Channel] = []
            for channel in opening { channels.append(try await channel.get()) }
            return channels
        }
        for channel in channels { try? await channel.close() }
    }
}
