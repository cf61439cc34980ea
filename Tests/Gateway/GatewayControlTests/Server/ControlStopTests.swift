import GatewayTestSupport
import GatewayTesting
import NIOCore
import NIOPosix
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ControlStopTests {
    /// The process ends where the server drops a connection that it has accepted and not begun to serve.
    @Test(arguments: 1...8)
    func `a gateway stops in order while connections come`(round: Int) async throws {
        let coming = try await withGateway { gateway in
            let port = gateway.control.port
            let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            let first = (0..<100).map { _ in bootstrap.connect(host: "127.0.0.1", port: port) }
            // Until the port refuses.
            let coming = Task {
                let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                var channels: [any Channel] = []
                while channels.count < 2000 {
                    let opening = (0..<20).map { _ in bootstrap.connect(host: "127.0.0.1", port: port) }
                    var failed = false
                    for channel in opening {
                        if let channel = try? await channel.get() { channels.append(channel) } else { failed = true }
                    }
                    if failed { break }
                }
                return channels
            }
            // On a busy machine the gateway may have closed one that said nothing for long.
            for channel in first { try? await channel.get().close() }
            return coming
        }
        for channel in await coming.value { try? await channel.close() }
    }
}
