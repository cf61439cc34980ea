#if canImport(Glibc)
    import Glibc
    private let streamSocket = Int32(SOCK_STREAM.rawValue)
#elseif canImport(Musl)
    import Musl
    private let streamSocket = SOCK_STREAM
#else
    import Darwin
    private let streamSocket = SOCK_STREAM
#endif

/// A socket that listens on a free port of 127.0.0.1, for servers that a test runs on a thread.
///
/// It is closed when nobody holds it any more. Closed earlier, its descriptor could be another test's socket by the time that
/// `stop` shuts it down.
package final class LoopbackListener: Sendable {
    package struct NotListening: Error {}

    package let port: UInt16
    private let descriptor: Int32

    package init() throws {
        descriptor = socket(AF_INET, streamSocket, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isReady = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isReady else { throw NotListening() }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Waits for a connection, which the caller closes. Nil after `stop`.
    package func next() -> Int32? {
        while true {
            let connection = accept(descriptor, nil, nil)
            if connection >= 0 { return connection }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// Refuses connections, and ends the wait for one.
    package func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
