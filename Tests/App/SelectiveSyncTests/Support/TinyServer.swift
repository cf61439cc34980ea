import Foundation
import TestSupport

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

    var port: UInt16 { listener.port }
    private let listener: LoopbackListener
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
        listener = try LoopbackListener()
        Thread.detachNewThread { [self] in serve() }
    }

    func stop() { listener.stop() }

    private func serve() {
        var number = 0
        while let connection = listener.next() {
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
    }

    private static func write(_ text: String, _ connection: Int32) -> Bool {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, LoopbackListener.sendFlags)
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

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
