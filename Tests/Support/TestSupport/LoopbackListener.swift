#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Listens on a free port of 127.0.0.1, for servers that a test runs on a thread.
///
/// The socket is closed when nobody holds it any more. Closed earlier, its descriptor could be another test's socket by the time
/// that `stop` shuts it down.
package final class LoopbackListener: Sendable {
    package struct NotListening: Error {}

    private let socket: HeldPort
    package var port: UInt16 { UInt16(socket.number) }

    package init() throws {
        socket = try HeldPort()
        guard listen(socket.descriptor, 64) == 0 else { throw NotListening() }
    }

    /// Waits for a connection, which the caller closes. Nil after `stop`.
    package func next() -> Int32? {
        while true {
            let connection = accept(socket.descriptor, nil, nil)
            if connection >= 0 { return connection }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// Refuses connections, and ends the wait for one.
    package func stop() { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }

    /// For `send`, so that a client that has gone is an error and not a signal, where the system can do that for one call.
    #if canImport(Glibc)
        package static let sendFlags = Int32(MSG_NOSIGNAL)
    #else
        package static let sendFlags: Int32 = 0
    #endif
}
