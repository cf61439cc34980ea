package import NIOCore
import Synchronization

/// Calls back when a world has something to do.
package final class DueTimer: Sendable {
    private struct Setting {
        let due: NIODeadline
        let task: Scheduled<Void>
    }

    private static let longest: Int64 = 86_400_000

    private let setting = Mutex<Setting?>(nil)
    private let eventLoop: any EventLoop
    private let ring: @Sendable () -> Void

    package init(on eventLoop: any EventLoop, _ ring: @escaping @Sendable () -> Void) {
        self.eventLoop = eventLoop
        self.ring = ring
    }

    deinit { setting.withLock { $0?.task.cancel() } }

    /// - Parameter milliseconds: From now. Where it is to ring sooner already, it does that; it rings within a day.
    package func set(in milliseconds: Int64) {
        let due = eventLoop.now + .milliseconds(min(milliseconds, DueTimer.longest))
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
