#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif
import Dispatch

/// Passes SIGHUP to a closure instead of ending the process, for the lifetime of this object.
final class HangUpSignal {
    private let source: any DispatchSourceSignal

    init(_ handler: @escaping @Sendable () -> Void) {
        signal(SIGHUP, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: DispatchQueue(label: "apns.hangup"))
        source.setEventHandler { handler() }
        source.resume()
    }

    deinit {
        source.cancel()
        signal(SIGHUP, SIG_DFL)
    }
}
