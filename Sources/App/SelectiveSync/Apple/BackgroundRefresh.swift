#if canImport(BackgroundTasks) && (os(iOS) || os(tvOS) || os(visionOS))
    import BackgroundTasks
    public import Foundation

    /// Refreshes a `CRMSync` while the app is in the background, at times that the system chooses.
    ///
    /// `Info.plist` needs the identifier in `BGTaskSchedulerPermittedIdentifiers`, and `fetch` in `UIBackgroundModes`.
    public struct BackgroundRefresh: Sendable {
        private let identifier: String
        private let interval: TimeInterval

        /// - Parameter interval: Seconds; the system starts the task no earlier, and often much later.
        public init(identifier: String, every interval: TimeInterval = 4 * 3_600) {
            self.identifier = identifier
            self.interval = interval
        }

        /// Call it once, before the app has finished launching.
        ///
        /// - Returns: Whether `Info.plist` permits the identifier.
        @discardableResult
        public func register(_ crm: CRMSync) -> Bool {
            BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
                schedule()
                let running = RunningTask(task)
                let work = Task { running.end(await crm.refresh().isDone) }
                task.expirationHandler = {
                    work.cancel()
                    running.end(false)
                }
            }
        }

        /// Asks the system for the next refresh. Call it when the app goes to the background; each refresh calls it by itself.
        public func schedule() {
            let request = BGAppRefreshTaskRequest(identifier: identifier)
            request.earliestBeginDate = Date(timeIntervalSinceNow: interval)
            // It fails where the user has switched background refresh off.
            try? BGTaskScheduler.shared.submit(request)
        }
    }

    /// Reports the end of a task once.
    ///
    /// Unchecked, because the lock protects `task`, and a task may be ended on any thread.
    private final class RunningTask: @unchecked Sendable {
        private let lock = NSLock()
        private var task: BGTask?

        init(_ task: BGTask) { self.task = task }

        func end(_ isDone: Bool) {
            let task = lock.withLock { () -> BGTask? in
                defer { self.task = nil }
                return self.task
            }
            task?.setTaskCompleted(success: isDone)
        }
    }
#endif
