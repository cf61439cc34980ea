#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif
import APNSModel
import APNSTransport
import GatewayCore
import NIOCore
import Synchronization
import TLSSession

/// The gateway's ports: takes connections and knows those that are open, so that all of them can be told to go.
final class APNSListener: Sendable {
    private struct Peers {
        var table: ConnectionTable
        var open: [ConnectionTable.ID: NIOLoopBound<GatewayPeer>] = [:]
        /// Resumed when the last connection is gone.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private static let handshakeTimeout: TimeAmount = .seconds(10)

    private let peers: Mutex<Peers>
    private let state: GatewayState
    private let bound = Mutex<[any Channel]>([])

    private let requestTimeout: Duration

    /// - Parameter limits: Beyond them one that does nothing has to go; when all are at work, a new one gets GOAWAY with
    ///   `ServiceUnavailable`.
    init(_ state: GatewayState, requestTimeout: Duration, limits: ConnectionTable.Limits) {
        peers = Mutex(Peers(table: ConnectionTable(limits: limits)))
        self.state = state
        self.requestTimeout = requestTimeout
        state.onClockMoved { [weak self] isReset in
            self?.forEachPeer { $0.clockMoved(isReset: isReset) }
        }
        state.onFaultsRemoved { [weak self] id in
            self?.forEachPeer { $0.faultsRemoved(id) }
        }
    }

    /// - Parameters:
    ///   - role: What the port is for.
    ///   - option: What a person names it by.
    /// - Returns: The port, also where 0 asked for a free one.
    func bind(
        _ role: GatewayConnection.Role = .send, host: String, port: Int, option: String = "--port", tls: TLSContext,
        on group: any EventLoopGroup
    ) async throws(GatewayError) -> Int {
        do {
            let opened = try await TransportServer.bind(
                host: host, port: port, tls: tls, limits: GatewayPeer.limits,
                handshakeTimeout: APNSListener.handshakeTimeout, on: group
            ) { self.makePeer(role, $0) }.get()
            bound.withLock { $0.append(opened) }
            return opened.localAddress?.port ?? port
        } catch {
            throw GatewayError(binding: host, port, option: option, error)
        }
    }

    private func makePeer(_ role: GatewayConnection.Role, _ channel: any Channel) -> GatewayPeer {
        let peer = GatewayPeer(state, role, channel, requestTimeout: requestTimeout) { [weak self] in
            self?.note($1, of: $0.id)
        }
        let (arrival, idle) = peers.withLock { peers in
            let (id, arrival) = peers.table.arrived()
            peer.id = id
            peers.open[id] = NIOLoopBound(peer, eventLoop: channel.eventLoop)
            guard case .inPlaceOf(let idle) = arrival else { return (arrival, nil as NIOLoopBound<GatewayPeer>?) }
            return (arrival, peers.open.removeValue(forKey: idle))
        }
        APNSListener.makeRoom(idle)
        if arrival == .refused {
            peer.refuse(GoAway(.serviceUnavailable, "all connections of the gateway are at work"))
        }
        return peer
    }

    private func note(_ step: GatewayPeer.Step, of id: ConnectionTable.ID) {
        let (idle, isLast) = peers.withLock { peers in
            var idle: ConnectionTable.ID?
            switch step {
            case .began: idle = peers.table.began(id)
            case .opened: idle = peers.table.opened(id)
            case .used: peers.table.used(id)
            case .ended:
                peers.table.ended(id)
                return (nil as NIOLoopBound<GatewayPeer>?, peers.open.removeValue(forKey: id) != nil && peers.open.isEmpty)
            }
            return (idle.flatMap { peers.open.removeValue(forKey: $0) }, false)
        }
        APNSListener.makeRoom(idle)
        if isLast { stopWaiting() }
    }

    private static func makeRoom(_ idle: NIOLoopBound<GatewayPeer>?) {
        guard let idle else { return }
        idle.eventLoop.execute { idle.value.makeRoom() }
    }

    private func forEachPeer(_ body: @escaping @Sendable (GatewayPeer) -> Void) {
        let open = peers.withLock { Array($0.open.values) }
        for peer in open { peer.eventLoop.execute { body(peer.value) } }
    }

    /// Ends requests and connections that take too long.
    func checkTime() { forEachPeer { $0.checkTime() } }

    /// Takes no more connections, tells those that are open to go, and waits for them, at most for `grace`.
    func stop(grace: Duration) async {
        let channels = bound.withLock { bound in
            defer { bound = [] }
            return bound
        }
        guard let first = channels.first else { return }
        for channel in channels { try? await channel.close() }
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

extension GatewayError {
    /// What NIO says of a failed bind, as a sentence with the port in it.
    init(binding host: String, _ port: Int, option: String, _ error: any Error) {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            self.init(
                .portTaken,
                "port \(port) on \(host) is taken, most likely by another gateway that still runs; stop that one, or "
                    + "pass another \(option): \(option) 0 takes a free one")
        case EACCES, EPERM:
            self.init(
                .cannotBind,
                "port \(port) on \(host) is only for privileged processes; pass a \(option) from 1024 on, or 0 for a "
                    + "free one")
        case EADDRNOTAVAIL:
            self.init(.cannotBind, "\(host) is no address of this machine; pass another --host, such as 127.0.0.1")
        default:
            self.init(
                .cannotBind, "port \(port) on \(host) cannot be opened: \(error); pass another --host or \(option)")
        }
    }
}
