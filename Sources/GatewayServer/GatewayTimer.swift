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

    init(_ worlds: Worlds, _ listener: APNSListener, on eventLoop: any EventLoop) {
        let ticks = NIOLoopBoundBox.makeBoxSendingValue(0, eventLoop: eventLoop)
        task = eventLoop.scheduleRepeatedTask(initialDelay: GatewayTimer.tick, delay: GatewayTimer.tick) { _ in
            ticks.value &+= 1
            worlds.forEach { $0.expireStored() }
            if ticks.value.isMultiple(of: GatewayTimer.heartbeat) { worlds.forEach { $0.sendHeartbeats() } }
            if ticks.value.isMultiple(of: GatewayTimer.timeCheck) {
                listener.checkTime()
                worlds.forEach { $0.retryStore() }
            }
        }
    }

    func stop() { task.cancel() }
}
