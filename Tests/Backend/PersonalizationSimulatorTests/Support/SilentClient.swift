import Foundation

/// A connection to a port of 127.0.0.1 that writes and never reads.
final class SilentClient {
    private struct Failure: Error {}

    private let descriptor: Int32

    init(port: Int) throws {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var bytes: Int32 = 4_096
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let descriptor = descriptor
        let isConnected = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw Failure() }
    }

    deinit { close(descriptor) }

    func write(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard send(descriptor, bytes, bytes.count, 0) == bytes.count else { throw Failure() }
    }
}
