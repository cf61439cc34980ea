import Foundation

/// An HTTP server on a free loopback port that gives each request the next of its answers and closes its connection. After the last one
/// a connection waits until the client gives up.
///
/// `@unchecked Sendable` because the lock protects `gathered`; the rest does not change after `init`.
package final class ReplyServer: @unchecked Sendable {
    package var port: UInt16 { listener.port }
    private let listener: LoopbackListener
    private let answers: [String]
    private let lock = NSLock()
    private var gathered: [String] = []

    package var requests: [String] { lock.withLock { gathered } }

    package init(_ answers: [String]) throws {
        self.answers = answers
        listener = try LoopbackListener()
        Thread.detachNewThread { [self] in serve() }
    }

    package func stop() { listener.stop() }

    private func serve() {
        var number = 0
        while let connection = listener.next() {
            var request = ""
            var buffer = [UInt8](repeating: 0, count: 65_536)
            // A body of the test ends with a brace; a request without one ends with its head.
            func isWhole() -> Bool {
                request.hasSuffix("}") || (request.hasPrefix("GET") && request.hasSuffix("\r\n\r\n"))
            }
            while !isWhole() {
                let count = recv(connection, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                request += String(decoding: buffer[..<count], as: UTF8.self)
            }
            // A client that gave up before its request was sent tries again, and gets the answer then.
            guard isWhole() else {
                close(connection)
                continue
            }
            lock.withLock { gathered.append(request) }
            if number < answers.count {
                let bytes = Array(answers[number].utf8)
                _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, LoopbackListener.sendFlags) }
            } else {
                _ = recv(connection, &buffer, buffer.count, 0)
            }
            number += 1
            close(connection)
        }
    }

    package static func answer(_ status: Int, _ body: String, length: Int? = nil, _ header: String = "") -> String {
        "HTTP/1.1 \(status) X\r\nContent-Length: \(length ?? body.utf8.count)\r\nConnection: close\r\n\(header)\r\n\(body)"
    }
}
