package import NIOCore
import Synchronization

/// A timer for what is due next.
package final class DueTimer: Sendable {
    private struct Setting {
        let due: NIODeadline
        let task: Scheduled<Void>
    }

    /// In milliseconds: a day. The machine's clock may be set meanwhile.
    private static let maximumDelay: Int64 = 86_400_000

    private let setting = Mutex<Setting?>(nil)
    private let eventLoop: any EventLoop

    package init(on eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    deinit { cancel() }

    /// Calls `action` once, within a day at the latest. If the timer is set for an earlier time already, that setting
    /// stays and this one is dropped; if for a later time, this one replaces it.
    ///
    /// - Parameter milliseconds: From now.
    package func set(in milliseconds: Int64, _ action: @escaping @Sendable () -> Void) {
        let due = eventLoop.now + .milliseconds(min(milliseconds, DueTimer.maximumDelay))
        setting.withLock { setting in
            if let setting, setting.due <= due { return }
            setting?.task.cancel()
            let task = eventLoop.scheduleTask(deadline: due) { [weak self] () -> Void in
                guard let self else { return }
                self.setting.withLock { $0 = nil }
                action()
            }
            setting = Setting(due: due, task: task)
        }
    }

    package func cancel() {
        setting.withLock { setting in
            setting?.task.cancel()
            setting = nil
        }
    }
}
