import APNSModel
package import GatewayCore
package import GatewayRuntime
import NIOCore
import Synchronization

/// The open connections of all senders. What concerns several of them starts here; each step runs on the connection's own
/// event loop.
package final class SenderConnections: Sendable {
    private struct Shared {
        var table: ConnectionTable
        var open: [ConnectionTable.ID: NIOLoopBound<SenderConnection>] = [:]
        /// Resumed when no connection is open.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let shared: Mutex<Shared>
    private let refused: @Sendable (GoAway) -> Void

    /// - Parameters:
    ///   - limits: Beyond them a connection without requests is closed; if all have requests, a new one is refused with GOAWAY
    ///     and `ServiceUnavailable`.
    ///   - refused: Called for each connection whose certificate is refused.
    package init(limits: ConnectionTable.Limits, refused: @escaping @Sendable (GoAway) -> Void) {
        shared = Mutex(Shared(table: ConnectionTable(limits: limits)))
        self.refused = refused
    }

    func add(_ connection: SenderConnection) {
        let (arrival, idle) = shared.withLock { shared in
            let (id, arrival) = shared.table.arrived()
            connection.id = id
            shared.open[id] = NIOLoopBound(connection, eventLoop: connection.eventLoop)
            guard case .replaces(let idle) = arrival else { return (arrival, nil as NIOLoopBound<SenderConnection>?) }
            return (arrival, shared.open.removeValue(forKey: idle))
        }
        SenderConnections.makeRoom(idle)
        if arrival == .refused {
            connection.refuse(GoAway(.serviceUnavailable, "all connections of the gateway are in use"))
        }
    }

    func record(_ step: SenderConnection.Step, of id: ConnectionTable.ID) {
        if case .refused(let goAway) = step { return refused(goAway) }
        let (idle, isLast) = shared.withLock { shared in
            var idle: ConnectionTable.ID?
            switch step {
            case .began: idle = shared.table.began(id)
            case .opened: idle = shared.table.opened(id)
            case .used: shared.table.used(id)
            case .refused: break
            case .ended:
                shared.table.ended(id)
                let isLast = shared.open.removeValue(forKey: id) != nil && shared.open.isEmpty
                return (nil as NIOLoopBound<SenderConnection>?, isLast)
            }
            return (idle.flatMap { shared.open.removeValue(forKey: $0) }, false)
        }
        SenderConnections.makeRoom(idle)
        if isLast { stopWaiting() }
    }

    private static func makeRoom(_ idle: NIOLoopBound<SenderConnection>?) {
        guard let idle else { return }
        idle.eventLoop.execute { idle.value.makeRoom() }
    }

    private func forEach(_ body: @escaping @Sendable (SenderConnection) -> Void) {
        let open = shared.withLock { Array($0.open.values) }
        for connection in open { connection.eventLoop.execute { body(connection.value) } }
    }

    /// Only the identity of `world` is kept, so that a removed world is not held until every loop has run this.
    private func forEach(of world: LiveWorld, _ body: @escaping @Sendable (SenderConnection) -> Void) {
        let id = ObjectIdentifier(world)
        forEach { if ObjectIdentifier($0.world) == id { body($0) } }
    }

    /// Ends requests and connections that take too long.
    package func checkTime() { forEach { $0.checkTime() } }

    package func clockChanged(_ change: ClockChange, in world: LiveWorld) {
        forEach(of: world) { $0.clockChanged(change) }
    }

    /// - Parameter id: Nil for all fault rules.
    package func faultRulesRemoved(_ id: String?, in world: LiveWorld) {
        forEach(of: world) { $0.faultsRemoved(id) }
    }

    /// Sends GOAWAY over the connections of one world, and closes them when all that is under way is answered.
    func leave(_ world: LiveWorld, _ goAway: GoAway, grace: Duration) {
        forEach(of: world) { $0.leave(goAway, grace: grace) }
    }

    /// The same for all connections. Returns when all are closed, or `grace` is over.
    func leave(_ goAway: GoAway, grace: Duration, timer eventLoop: any EventLoop) async {
        forEach { $0.leave(goAway, grace: grace) }
        let timer = eventLoop.scheduleTask(in: .nanoseconds(grace.wholeNanoseconds)) { self.stopWaiting() }
        await withCheckedContinuation { continuation in
            let isDone = shared.withLock { shared in
                guard !shared.open.isEmpty else { return true }
                shared.waiting.append(continuation)
                return false
            }
            if isDone { continuation.resume() }
        }
        timer.cancel()
    }

    private func stopWaiting() {
        let waiting = shared.withLock { shared in
            defer { shared.waiting = [] }
            return shared.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
