import GatewayListener
import GatewayRuntime
import NIOCore

/// The delegate of one world in a gateway: sets a timer for due events, and passes changes on to the connections of
/// senders.
final class GatewayWorldDelegate: LiveWorldDelegate {
    private let connections: SenderConnections
    private let timer: DueTimer

    init(_ connections: SenderConnections, timersOn eventLoop: any EventLoop) {
        self.connections = connections
        timer = DueTimer(on: eventLoop)
    }

    func clockChanged(_ change: ClockChange, in world: LiveWorld) { connections.clockChanged(change, in: world) }

    func faultRulesRemoved(_ id: String?, in world: LiveWorld) { connections.faultRulesRemoved(id, in: world) }

    func nextDue(in milliseconds: Int64?, of world: LiveWorld) {
        guard let milliseconds else { return timer.cancel() }
        // Weak, because the world holds this delegate, which holds the timer.
        timer.set(in: milliseconds) { [weak world] in world?.passTime() }
    }
}
