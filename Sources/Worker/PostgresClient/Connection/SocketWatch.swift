internal import Dispatch
#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Calls a function whenever a socket of libpq can be read or written, until it is cancelled.
///
/// It watches a duplicate of the descriptor, because libpq closes its own while it tries the next address, and an event
/// source must not outlive its descriptor.
final class SocketWatch {
    enum Event { case readable, writable }

    private let source: any DispatchSourceProtocol

    /// Nil when the process has no descriptor left.
    init?(_ descriptor: Int32, _ event: Event, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) {
        let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else { return nil }
        switch event {
        case .readable: source = DispatchSource.makeReadSource(fileDescriptor: duplicate, queue: queue)
        case .writable: source = DispatchSource.makeWriteSource(fileDescriptor: duplicate, queue: queue)
        }
        source.setEventHandler(handler: handler)
        source.setCancelHandler { close(duplicate) }
        source.activate()
    }

    deinit { source.cancel() }
}
