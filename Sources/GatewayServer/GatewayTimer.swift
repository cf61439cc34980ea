import NIOCore
import Synchronization

/// The timers of a gateway. One for each world has everything that is due by the passing of time happen then; a steady one
/// keeps listeners' connections alive, ends slow requests and silent connections, and looks at the worlds as well, because
/// the machine's clock may be set.
final class GatewayTimer: Sendable {
    /// Calls back when a world has something to do.
    private final class Alarm: Sendable {
        private struct Setting {
            let due: NIODeadline
            let task: Scheduled<Void>
        }

        private static let longest: Int64 = 86_400_000

        private let setting = Mutex<Setting?>(nil)
        private let eventLoop: any EventLoop
        private let ring: @Sendable () -> Void

        init(on eventLoop: any EventLoop, _ ring: @escaping @Sendable () -> Void) {
            self.eventLoop = eventLoop
            self.ring = ring
        }

        deinit { setting.withLock { $0?.task.cancel() } }

        /// - Parameter milliseconds: From now. Where it is to ring sooner already, it does that; it rings within a day.
        func set(in milliseconds: Int64) {
            let due = NIODeadline.now() + .milliseconds(min(milliseconds, Alarm.longest))
            setting.withLock { setting in
                if let setting, setting.due <= due { return }
                setting?.task.cancel()
                let task = eventLoop.scheduleTask(deadline: due) { [weak self] () -> Void in self?.go() }
                setting = Setting(due: due, task: task)
            }
        }

        private func go() {
            setting.withLock { $0 = nil }
            ring()
        }
    }

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
            let alarm = Alarm(on: eventLoop) { [weak state] in state?.passTime() }
            state.onDue { alarm.set(in: $0) }
        }
    }

    func stop() {
        task.cancel()
        worlds.forEach { $0.onDue(nil) }
    }
}
