import NIOCore

/// The one timer of a gateway: lets stored notifications expire, keeps listeners' connections alive, ends slow requests and
/// silent connections.
final class GatewayTimer: Sendable {
    private let task: RepeatedTask

    private static let tick: TimeAmount = .milliseconds(250)
    /// In ticks: 15 seconds.
    private static let heartbeat = 60
    /// In ticks: one second.
    private static let timeCheck = 4

    init(_ state: GatewayState, _ listener: APNSListener, on eventLoop: any EventLoop) {
        let ticks = NIOLoopBoundBox.makeBoxSendingValue(0, eventLoop: eventLoop)
        task = eventLoop.scheduleRepeatedTask(initialDelay: GatewayTimer.tick, delay: GatewayTimer.tick) { _ in
            ticks.value &+= 1
            state.expireStored()
            if ticks.value.isMultiple(of: GatewayTimer.heartbeat) { state.sendHeartbeats() }
            if ticks.value.isMultiple(of: GatewayTimer.timeCheck) {
                listener.checkTime()
                state.retryStore()
            }
        }
    }

    func stop() { task.cancel() }
}
