import Foundation
import TestSupport
import Testing

@testable import Personalization

/// An HTTP server on a free loopback port that gives each connection the next of its answers and closes it. After the last one
/// a connection waits until the client gives up.
///
/// `@unchecked Sendable` because the lock protects `requests`; the rest does not change after `init`.
private final class ReplyServer: @unchecked Sendable {
    let port: UInt16
    private let listener: Int32
    private let answers: [String]
    private let lock = NSLock()
    private var gathered: [String] = []

    var requests: [String] { lock.withLock { gathered } }

    init(_ answers: [String]) throws {
        self.answers = answers
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
        try #require(isReady)
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in serve() }
    }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve() {
        var number = 0
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            var request = ""
            var buffer = [UInt8](repeating: 0, count: 65_536)
            // The test's body ends with this.
            while !request.hasSuffix("}") {
                let count = recv(connection, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                request += String(decoding: buffer[..<count], as: UTF8.self)
            }
            lock.withLock { gathered.append(request) }
            if number < answers.count {
                let bytes = Array(answers[number].utf8)
                _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, ReplyServer.flags) }
            } else {
                _ = recv(connection, &buffer, buffer.count, 0)
            }
            number += 1
            close(connection)
        }
        close(listener)
    }

    #if canImport(Glibc)
        private static let flags = Int32(MSG_NOSIGNAL)
    #else
        private static let flags: Int32 = 0
    #endif

    static func answer(_ status: Int, _ body: String, length: Int? = nil, _ header: String = "") -> String {
        "HTTP/1.1 \(status) X\r\nContent-Length: \(length ?? body.utf8.count)\r\nConnection: close\r\n\(header)\r\n\(body)"
    }

    func failure(_ transport: URLSessionDecisionTransport, limit: Int = 1_000) async -> DecisionError? {
        do throws(DecisionError) {
            _ = try await transport.send(request(limit))
            return nil
        } catch { return error }
    }

    func request(_ limit: Int = 1_000) -> DecisionHTTPRequest {
        DecisionHTTPRequest(
            url: URL(string: "http://127.0.0.1:\(port)/personalization/decisions")!, body: Array("{}".utf8),
            withinMilliseconds: 60_000, maximumReplyBytes: limit)
    }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct URLSessionDecisionTransportTests {
    private let transport = URLSessionDecisionTransport()

    @Test func `a request is a POST of JSON, and each status is a reply`() async throws {
        let server = try ReplyServer([
            ReplyServer.answer(200, "{}", "Content-Type: application/json\r\n"),
            ReplyServer.answer(503, "later", "Retry-After: 7\r\n"),
            ReplyServer.answer(302, "", "Location: http://127.0.0.1:1/\r\n"),
        ])
        defer { server.stop() }
        let first = try await transport.send(server.request())
        #expect(first.status == 200 && first.body == Array("{}".utf8))
        #expect(first.headers["content-type"] == "application/json")
        let second = try await transport.send(server.request())
        #expect(second.status == 503 && second.headers["retry-after"] == "7")
        #expect(try await transport.send(server.request()).status == 302)
        let head = try #require(server.requests.first).lowercased()
        #expect(head.hasPrefix("post /personalization/decisions http/1.1\r\n"))
        #expect(head.contains("content-type: application/json") && head.hasSuffix("\r\n\r\n{}"))
    }

    @Test func `a reply over the limit, a cut one and none are errors`() async throws {
        let server = try ReplyServer([
            ReplyServer.answer(200, String(repeating: "x", count: 1_000)),
            ReplyServer.answer(200, String(repeating: "x", count: 1_001)),
            ReplyServer.answer(200, "{\"a\":", length: 100), "",
        ])
        defer { server.stop() }
        #expect(await server.failure(transport) == nil)
        #expect(await server.failure(transport)?.code == .responseInvalid)
        #expect(await server.failure(transport)?.code == .network)
        #expect(await server.failure(transport)?.code == .network)
    }

    @Test func `a cancelled request ends at once`() async throws {
        let server = try ReplyServer([])
        defer { server.stop() }
        let transport = transport
        let task = Task { await server.failure(transport) }
        #expect(await eventually { !server.requests.isEmpty })
        task.cancel()
        #expect(await task.value == .cancelled)
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await server.failure(transport)
        }
        #expect(await early.value == .cancelled)
    }
}
