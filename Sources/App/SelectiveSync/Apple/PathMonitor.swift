#if canImport(Network)
    import Dispatch
    import Network

    /// Watches the device's connection with the Network framework.
    public struct PathMonitor: NetworkWatcher {
        public init() {}

        public func networks() -> AsyncStream<SyncNetwork> {
            AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
                let running = RunningMonitor()
                running.monitor.pathUpdateHandler = { path in
                    continuation.yield(
                        SyncNetwork(
                            isConnected: path.status == .satisfied, isExpensive: path.isExpensive,
                            isConstrained: path.isConstrained))
                }
                continuation.onTermination = { _ in running.monitor.cancel() }
                running.monitor.start(queue: DispatchQueue(label: "SelectiveSync.network"))
            }
        }
    }

    /// Unchecked, because a monitor may be cancelled on any thread, and is used for nothing else after its start.
    private struct RunningMonitor: @unchecked Sendable {
        let monitor = NWPathMonitor()
    }
#endif
