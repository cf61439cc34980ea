import GatewayListener
import GatewayRuntime
import NIOCore

/// The timers of a gateway. One for each world has everything that is due by the passing of time happen then; a steady one
/// keeps listeners' connections alive, ends slow requests and silent connections, and looks at the worlds as well, because
/// the machine's clock may be set.
final class GatewayTimer: Sendable {
    private let task: RepeatedTask
    private let worlds: Worlds

    private static let tick: TimeAmount = .seconds(1)
    /// In ticks.
    private static let heartbeat = 15

    init(_ worlds: Worlds, _ listener: APNSListener, on eventLoop: any EventLoop) {
        self.worlds = worlds
        let ticks = NIOLoopBoundBox.makeBoxSendingValue(0, eventLoop: eventLoop)
        task = eventLoop.scheduleRepeatedTask(initialDelay: GatewayTimer.tick, delay: GatewayTimer.tick) { _ in
            ticks.value &+= 1
            worlds.forEach { $0.passTimeIfDue() }
            if ticks.value.isMultiple(of: GatewayTimer.heartbeat) { worlds.forEach { $0.sendHeartbeats() } }
            listener.checkTime()
            worlds.forEach { $0.retryStore() }
        }
        worlds.onMade { state in
            let alarm = DueTimer(on: eventLoop) { [weak state] in state?.passTime() }
            state.onDue { alarm.set(in: $0) }
        }
    }

    func stop() {
        task.cancel()
        worlds.forEach { $0.onDue(nil) }
    }
}
