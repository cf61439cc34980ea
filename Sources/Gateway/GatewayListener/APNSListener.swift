import APNSModel
import APNSTransport
package import GatewayConfiguration
package import GatewayCore
package import GatewayRuntime
package import NIOCore
import Synchronization
package import TLSSession

/// The gateway's ports: takes connections and knows those that are open, so that all of them can be told to go.
package final class APNSListener: Sendable {
    private struct Peers {
        var table: ConnectionTable
        var open: [ConnectionTable.ID: NIOLoopBound<SenderConnection>] = [:]
        /// Resumed when the last connection is gone.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private static let handshakeTimeout: TimeAmount = .seconds(10)

    private struct Port {
        let channel: any Channel
        /// The world whose senders alone use it; nil for one of all worlds.
        let world: WorldName?
    }

    private let peers: Mutex<Peers>
    private let worlds: Worlds
    private let bound = Mutex<[Port]>([])

    private let requestTimeout: Duration

    /// - Parameter limits: Beyond them one that does nothing has to go; when all are at work, a new one gets GOAWAY with
    ///   `ServiceUnavailable`.
    package init(_ worlds: Worlds, requestTimeout: Duration, limits: ConnectionTable.Limits) {
        peers = Mutex(Peers(table: ConnectionTable(limits: limits)))
        self.worlds = worlds
        self.requestTimeout = requestTimeout
        worlds.onMade { [weak self] state in
            let world = ObjectIdentifier(state)
            state.onClockMoved { [weak self] move in
                self?.forEachPeer { if ObjectIdentifier($0.world) == world { $0.clockChanged(move) } }
            }
            state.onFaultsRemoved { [weak self] id in
                self?.forEachPeer { if ObjectIdentifier($0.world) == world { $0.faultsRemoved(id) } }
            }
        }
    }

    /// - Parameters:
    ///   - role: What the port is for.
    ///   - option: What a person names it by.
    ///   - world: Whose senders alone use it; nil has them choose by the host name.
    /// - Returns: The port, also where 0 asked for a free one.
    package func bind(
        _ role: GatewayConnection.Role = .send, host: String, port: Int, option: String = "--port",
        world: LiveWorld? = nil, tls: TLSContext, on group: any EventLoopGroup
    ) async throws(GatewayError) -> Int {
        do {
            let opened = try await TransportServer.bind(
                host: host, port: port, tls: tls, limits: SenderConnection.limits,
                handshakeTimeout: APNSListener.handshakeTimeout, on: group
            ) { self.makePeer(role, world, $0) }.get()
            bound.withLock { $0.append(Port(channel: opened, world: world?.name)) }
            return opened.localAddress?.port ?? port
        } catch {
            throw GatewayError(binding: host, port, option: option, error)
        }
    }

    private func makePeer(_ role: GatewayConnection.Role, _ world: LiveWorld?, _ channel: any Channel)
        -> SenderConnection
    {
        let peer = SenderConnection(worlds, world, role, channel, requestTimeout: requestTimeout) { [weak self] in
            self?.note($1, of: $0.id)
        }
        let (arrival, idle) = peers.withLock { peers in
            let (id, arrival) = peers.table.arrived()
            peer.id = id
            peers.open[id] = NIOLoopBound(peer, eventLoop: channel.eventLoop)
            guard case .inPlaceOf(let idle) = arrival else { return (arrival, nil as NIOLoopBound<SenderConnection>?) }
            return (arrival, peers.open.removeValue(forKey: idle))
        }
        APNSListener.makeRoom(idle)
        if arrival == .refused {
            peer.refuse(GoAway(.serviceUnavailable, "all connections of the gateway are at work"))
        }
        return peer
    }

    private func note(_ step: SenderConnection.Step, of id: ConnectionTable.ID) {
        let (idle, isLast) = peers.withLock { peers in
            var idle: ConnectionTable.ID?
            switch step {
            case .began: idle = peers.table.began(id)
            case .opened: idle = peers.table.opened(id)
            case .used: peers.table.used(id)
            case .ended:
                peers.table.ended(id)
                return (
                    nil as NIOLoopBound<SenderConnection>?,
                    peers.open.removeValue(forKey: id) != nil && peers.open.isEmpty
                )
            }
            return (idle.flatMap { peers.open.removeValue(forKey: $0) }, false)
        }
        APNSListener.makeRoom(idle)
        if isLast { stopWaiting() }
    }

    private static func makeRoom(_ idle: NIOLoopBound<SenderConnection>?) {
        guard let idle else { return }
        idle.eventLoop.execute { idle.value.makeRoom() }
    }

    private func forEachPeer(_ body: @escaping @Sendable (SenderConnection) -> Void) {
        let open = peers.withLock { Array($0.open.values) }
        for peer in open { peer.eventLoop.execute { body(peer.value) } }
    }

    /// Ends requests and connections that take too long.
    package func checkTime() { forEachPeer { $0.checkTime() } }

    /// What listens on one of the ports; nil where nothing does any more.
    func channel(of port: Int) -> (any Channel)? {
        bound.withLock { bound in bound.first { $0.channel.localAddress?.port == port }?.channel }
    }

    /// A world is removed: closes its port and tells its senders to go.
    package func leave(_ state: LiveWorld) async {
        let ports = bound.withLock { bound in
            let ports = bound.filter { $0.world == state.name }
            bound.removeAll { $0.world == state.name }
            return ports
        }
        for port in ports { try? await port.channel.close() }
        forEachPeer { peer in
            guard peer.world === state else { return }
            peer.leave(GoAway(.shutdown, "the world \(state.name) is removed"), grace: APNSListener.leavingGrace)
        }
    }

    private static let leavingGrace: Duration = .seconds(1)

    /// Takes no more connections, tells those that are open to go, and waits for them, at most for `grace`.
    package func stop(grace: Duration) async {
        let channels = bound.withLock { bound in
            defer { bound = [] }
            return bound
        }
        guard let first = channels.first?.channel else { return }
        for port in channels { try? await port.channel.close() }
        forEachPeer { $0.leave(GoAway(.shutdown, "the gateway is stopping"), grace: grace) }
        let timer = first.eventLoop.scheduleTask(in: .nanoseconds(grace.wholeNanoseconds)) { self.stopWaiting() }
        await withCheckedContinuation { continuation in
            let isDone = peers.withLock { peers in
                guard !peers.open.isEmpty else { return true }
                peers.waiting.append(continuation)
                return false
            }
            if isDone { continuation.resume() }
        }
        timer.cancel()
    }

    private func stopWaiting() {
        let waiting = peers.withLock { peers in
            defer { peers.waiting = [] }
            return peers.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
