/// Reports what the device is connected to. `PathMonitor` asks the Network framework.
public protocol NetworkWatcher: Sendable {
    /// The current network and each change, until the task that reads it is cancelled.
    func networks() -> AsyncStream<SyncNetwork>
}

extension SyncNetwork {
    /// - Parameters:
    ///   - isConnected: `NWPath.status` is `satisfied`.
    ///   - isExpensive: Mobile data, or a hotspot.
    ///   - isConstrained: Low Data Mode.
    public init(isConnected: Bool, isExpensive: Bool, isConstrained: Bool) {
        self = !isConnected ? .offline : isExpensive || isConstrained ? .metered : .unmetered
    }
}
