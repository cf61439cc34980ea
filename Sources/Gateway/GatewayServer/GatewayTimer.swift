import GatewayListener
import GatewayRuntime
import NIOCore

/// The periodic timer of a gateway. It keeps the connections of subscribers alive, ends slow requests and silent
/// connections, removes worlds that nobody uses, retries a failing store, and checks whether certificates have expired. It
/// also looks for due events, although each world has a timer for them, because the machine's clock may be changed.
final class GatewayTimer: Sendable {
    private let task: RepeatedTask

    private static let tick: TimeAmount = .seconds(1)
    /// In ticks.
    private static let heartbeat = 15

    init(
        _ worlds: Worlds, _ connections: SenderConnections, _ idleWorlds: IdleWorlds,
        _ certificateCheck: CertificateCheck, on eventLoop: any EventLoop
    ) {
        let ticks = NIOLoopBoundBox.makeBoxSendingValue(0, eventLoop: eventLoop)
        task = eventLoop.scheduleRepeatedTask(initialDelay: GatewayTimer.tick, delay: GatewayTimer.tick) { _ in
            ticks.value &+= 1
            worlds.forEach { $0.passTimeIfDue() }
            if ticks.value.isMultiple(of: GatewayTimer.heartbeat) { worlds.forEach { $0.sendHeartbeats() } }
            connections.checkTime()
            worlds.forEach { $0.retryStore() }
            idleWorlds.check()
            certificateCheck.check()
        }
    }

    func stop() { task.cancel() }
}
