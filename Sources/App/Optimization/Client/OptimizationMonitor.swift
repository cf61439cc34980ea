/// Watches the app's life cycle and the network for a client. An app uses `SystemMonitor`; a test calls the client itself.
@MainActor
public protocol OptimizationMonitor: AnyObject {
    /// Begins to report. It is called once, and again after `stop()`.
    func start(_ report: @escaping @MainActor @Sendable (MonitorEvent) -> Void)
    func stop()
}

public enum MonitorEvent: Hashable, Sendable {
    case online(Bool)
    case willResignActive
    case didBecomeActive
}
