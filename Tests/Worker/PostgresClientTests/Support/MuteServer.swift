import Foundation

/// A server that lets one client log in and answers nothing after that. The connection stays open until `end`.
///
/// `@unchecked Sendable` because nothing changes after `init`.
final class MuteServer: @unchecked Sendable {
    struct NotListening: Error {}

    let port: UInt16
    private let listener: Int32

    init() throws {
        #if canImport(Glibc)
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isReady = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isReady else { throw NotListening() }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { MuteServer.serve(listener) }
    }

    func end() { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(_ listener: Int32) {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 8192)
        // The start of the protocol: AuthenticationOk and ReadyForQuery.
        let welcome: [UInt8] = [
            UInt8(ascii: "R"), 0, 0, 0, 8, 0, 0, 0, 0, UInt8(ascii: "Z"), 0, 0, 0, 5, UInt8(ascii: "I"),
        ]
        if recv(connection, &buffer, buffer.count, 0) > 0 {
            _ = send(connection, welcome, welcome.count, 0)
            while recv(connection, &buffer, buffer.count, 0) > 0 {}
        }
        close(connection)
        close(listener)
    }
}
