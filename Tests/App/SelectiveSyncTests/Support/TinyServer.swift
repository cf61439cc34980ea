import Foundation

/// An HTTP server on a free loopback port. It answers one connection after the other with a test's answers, and records the
/// requests.
///
/// `@unchecked Sendable` because the lock protects `gathered`; the rest does not change after `init`.
final class TinyServer: @unchecked Sendable {
    enum Answer: Sendable {
        /// A complete message. An empty one closes the connection without an answer.
        case message(String)
        /// The start of a message, then single spaces until the client gives up.
        case drip(String)
    }

    typealias Script = @Sendable (_ number: Int, _ request: String) -> Answer

    let port: UInt16
    private let listener: Int32
    private let script: Script
    private let lock = NSLock()
    private var gathered: [String] = []

    var requests: [String] { lock.withLock { gathered } }
    var url: URL { URL(string: "http://127.0.0.1:\(port)")! }

    /// - Parameter answers: One for each connection. Later connections are closed without an answer.
    convenience init(_ answers: [String]) throws {
        try self.init { number, _ in .message(number < answers.count ? answers[number] : "") }
    }

    /// - Parameter script: Called on the server's own thread, for one request at a time.
    init(_ script: @escaping Script) throws {
        self.script = script
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
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isReady else { throw TestError() }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in serve() }
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve() {
        var number = 0
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            let request = TinyServer.read(connection)
            lock.withLock { gathered.append(request) }
            switch script(number, request) {
            case .message(let text): _ = TinyServer.write(text, connection)
            case .drip(let text):
                var isTaken = TinyServer.write(text, connection)
                while isTaken {
                    usleep(2_000)
                    isTaken = TinyServer.write(" ", connection)
                }
            }
            number += 1
            close(connection)
        }
        close(listener)
    }

    private static func write(_ text: String, _ connection: Int32) -> Bool {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    #if canImport(Glibc)
        private static let flags = Int32(MSG_NOSIGNAL)
    #else
        private static let flags: Int32 = 0
    #endif

    /// The head, and a body of the announced length.
    private static func read(_ connection: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                let head = text[..<end.lowerBound].lowercased()
                let length = head.range(of: "content-length: ").flatMap {
                    Int(head[$0.upperBound...].prefix { $0.isNumber })
                }
                if text[end.upperBound...].utf8.count >= length ?? 0 { return text }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return text }
            bytes += buffer[..<count]
        }
    }

    static func answer(_ status: Int, _ body: String, _ header: String = "") -> String {
        "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(header)\r\n\(body)"
    }
}
