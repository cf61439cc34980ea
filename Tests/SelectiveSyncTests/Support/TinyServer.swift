import Foundation

/// Answers each connection on a free loopback port with the next of some ready texts, and keeps what it was asked.
///
/// Unchecked, because the lock protects `gathered`; the rest does not change after `init`.
final class TinyServer: @unchecked Sendable {
    let port: UInt16
    private let listener: Int32
    private let lock = NSLock()
    private var gathered: [String] = []

    var requests: [String] { lock.withLock { gathered } }

    /// - Parameter answers: Whole HTTP messages; after the last one connections are closed unanswered.
    init(_ answers: [String]) throws {
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
        guard isReady else { throw TestError() }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in serve(answers[...]) }
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve(_ answers: ArraySlice<String>) {
        var answers = answers
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            let request = TinyServer.read(connection)
            lock.withLock { gathered.append(request) }
            let answer = Array((answers.popFirst() ?? "").utf8)
            var sent = 0
            while sent < answer.count {
                let count = answer[sent...].withUnsafeBytes {
                    send(connection, $0.baseAddress, $0.count, TinyServer.flags)
                }
                guard count > 0 else { break }
                sent += count
            }
            close(connection)
        }
        close(listener)
    }

    #if canImport(Glibc)
        private static let flags = Int32(MSG_NOSIGNAL)
    #else
        private static let flags: Int32 = 0
    #endif

    /// Up to the end of the JSON body, which the fetcher closes with a brace.
    private static func read(_ connection: Int32) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !text.hasSuffix("}") {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return text
    }

    static func answer(_ status: Int, _ body: String, _ header: String = "") -> String {
        "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(header)\r\n\(body)"
    }
}
