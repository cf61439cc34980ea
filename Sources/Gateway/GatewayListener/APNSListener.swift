import APNSModel
import APNSTransport
package import GatewayConfiguration
package import GatewayCore
package import GatewayRuntime
package import NIOCore
import Synchronization
package import TLSSession

/// The gateway's ports: accepts the connections of senders.
package final class APNSListener: Sendable {
    private struct Port {
        let channel: any Channel
        /// The only world whose senders use the port; nil for a port of all worlds.
        let world: WorldName?
    }

    private static let handshakeTimeout: TimeAmount = .seconds(10)
    private static let leavingGrace: Duration = .seconds(1)

    private let worlds: Worlds
    private let connections: SenderConnections
    private let requestTimeout: Duration
    private let bound = Mutex<[Port]>([])

    package init(_ worlds: Worlds, _ connections: SenderConnections, requestTimeout: Duration) {
        self.worlds = worlds
        self.connections = connections
        self.requestTimeout = requestTimeout
    }

    /// - Parameters:
    ///   - role: What the port is for.
    ///   - option: The command's option for the port, for error messages.
    ///   - world: The only world whose senders use the port; nil lets them choose by the host name.
    /// - Returns: The port, also if 0 asked for a free one.
    package func bind(
        _ role: GatewayConnection.Role = .send, host: String, port: Int, option: String = "--port",
        world: LiveWorld? = nil, tls: TLSContext, on group: any EventLoopGroup
    ) async throws(GatewayError) -> Int {
        do {
            let opened = try await TransportServer.bind(
                host: host, port: port, tls: tls, limits: SenderConnection.limits,
                handshakeTimeout: APNSListener.handshakeTimeout, on: group
            ) { self.makeConnection(role, world, $0) }.get()
            bound.withLock { $0.append(Port(channel: opened, world: world?.name)) }
            return opened.localAddress?.port ?? port
        } catch {
            throw GatewayError(binding: host, port, option: option, error)
        }
    }

    private func makeConnection(
        _ role: GatewayConnection.Role, _ world: LiveWorld?, _ channel: any Channel
    ) -> SenderConnection {
        let connection = SenderConnection(worlds, world, role, channel, requestTimeout: requestTimeout) {
            [weak connections] in connections?.record($1, of: $0.id)
        }
        connections.add(connection)
        return connection
    }

    /// Whether senders can connect: all ports that were opened are still open.
    package var isOpen: Bool { bound.withLock { bound in !bound.isEmpty && bound.allSatisfy(\.channel.isActive) } }

    /// The listening channel of a port; nil if the port is closed.
    func channel(of port: Int) -> (any Channel)? {
        bound.withLock { bound in bound.first { $0.channel.localAddress?.port == port }?.channel }
    }

    /// Closes the port of a removed world and the connections of its senders.
    package func leave(_ world: LiveWorld) async {
        let ports = bound.withLock { bound in
            let ports = bound.filter { $0.world == world.name }
            bound.removeAll { $0.world == world.name }
            return ports
        }
        for port in ports { try? await port.channel.close() }
        connections.leave(
            world, GoAway(.shutdown, "the world \(world.name) is removed"), grace: APNSListener.leavingGrace)
    }

    /// Closes all ports, sends GOAWAY over all connections and waits until they are closed, at most for `grace`.
    package func stop(grace: Duration) async {
        let ports = bound.withLock { bound in
            defer { bound = [] }
            return bound
        }
        guard let first = ports.first?.channel else { return }
        for port in ports { try? await port.channel.close() }
        await connections.leave(
            GoAway(.shutdown, "the gateway is stopping"), grace: grace, timer: first.eventLoop)
    }
}
