#if canImport(Network)
    import Dispatch
    import Foundation
    import Network
    import PushDispatch

    /// Watches the network, and on devices with UIKit the app's life cycle.
    ///
    /// The system suspends an app soon after it leaves the foreground: an app that wants its last views sent calls
    /// ``OptimizationClient/willResignActive(within:)`` inside a background task of its own as well.
    @MainActor
    public final class SystemMonitor: OptimizationMonitor {
        private var path: RunningPath?
        private var lifeCycle: LifeCycleObservers?

        public init() {}

        public func start(_ report: @escaping @MainActor @Sendable (MonitorEvent) -> Void) {
            stop()
            let path = RunningPath()
            path.monitor.pathUpdateHandler = { path in
                let isOnline = path.status == .satisfied
                // Tasks of the main actor begin in the order in which they are created, so the last state is the last reported.
                Task { @MainActor in report(.online(isOnline)) }
            }
            path.monitor.start(queue: DispatchQueue(label: "Optimization.network"))
            self.path = path
            lifeCycle = LifeCycleObservers(report)
        }

        public func stop() {
            path?.monitor.cancel()
            path = nil
            lifeCycle = nil
        }
    }

    /// Unchecked, because a monitor may be cancelled on any thread, and is used for nothing else after its start.
    private struct RunningPath: @unchecked Sendable {
        let monitor = NWPathMonitor()
    }
#endif
