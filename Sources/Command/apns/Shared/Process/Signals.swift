#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif
import Dispatch
import Synchronization

/// Passes SIGINT and SIGTERM to a closure instead of ending the process, for the lifetime of this object.
final class Signals {
    private let sources: [any DispatchSourceSignal]

    /// - Parameter handler: Called on a private queue with the number of signals so far, from 1.
    init(_ handler: @escaping @Sendable (_ count: Int) -> Void) {
        let queue = DispatchQueue(label: "apns.signals")
        let count = SignalCount()
        let isListening = DispatchSemaphore(value: 0)
        sources = [SIGINT, SIGTERM].map { number in
            // Without this the default action ends the process before the source sees the signal.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { handler(count.next()) }
            source.setRegistrationHandler { isListening.signal() }
            source.resume()
            return source
        }
        // A signal that arrives before the source is registered would be lost. That takes microseconds.
        for _ in sources { _ = isListening.wait(timeout: .now() + .seconds(1)) }
    }

    deinit {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}

/// Runs `body` in a task that SIGINT and SIGTERM cancel.
func cancelledBySignals<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
    let task = Task { await body() }
    let signals = Signals { _ in task.cancel() }
    defer { withExtendedLifetime(signals) {} }
    return await task.value
}

private final class SignalCount: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
