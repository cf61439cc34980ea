#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif
import Dispatch
import Synchronization

/// Hands SIGINT and SIGTERM to a closure instead of ending the process, as long as it lives.
final class Signals {
    private let sources: [any DispatchSourceSignal]

    /// - Parameter handler: Told how many signals have come so far, from 1; called on a queue of its own.
    init(_ handler: @escaping @Sendable (_ count: Int) -> Void) {
        let queue = DispatchQueue(label: "apns.signals")
        let count = SignalCount()
        let isListening = DispatchSemaphore(value: 0)
        sources = [SIGINT, SIGTERM].map { number in
            // The default action would come first and end the process.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { handler(count.next()) }
            source.setRegistrationHandler { isListening.signal() }
            source.resume()
            return source
        }
        // A signal that comes before the source has its ear open would be lost. It opens in microseconds.
        for _ in sources { _ = isListening.wait(timeout: .now() + .seconds(1)) }
    }

    deinit {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}

private final class SignalCount: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
