import GatewayListener
import GatewayRuntime
import NIOCore

/// The steady timer of a gateway. It keeps the connections of subscribers alive, ends slow requests and silent connections,
/// and tries a failing store again. It looks for due events as well, although each world has a timer for them: the machine's
/// clock may be set.
final class GatewayTimer: Sendable {
    private let task: RepeatedTask

    private static let tick: TimeAmount = .seconds(1)
    /// In ticks.
    private static let heartbeat = 15

    init(_ worlds: Worlds, _ connections: SenderConnections, on eventLoop: any EventLoop) {
        let ticks = NIOLoopBoundBox.makeBoxSendingValue(0, eventLoop: eventLoop)
        task = eventLoop.scheduleRepeatedTask(initialDelay: GatewayTimer.tick, delay: GatewayTimer.tick) { _ in
            ticks.value &+= 1
            worlds.forEach { $0.passTimeIfDue() }
            if ticks.value.isMultiple(of: GatewayTimer.heartbeat) { worlds.forEach { $0.sendHeartbeats() } }
            connections.checkTime()
            worlds.forEach { $0.retryStore() }
        }
    }

    func stop() { task.cancel() }
}
