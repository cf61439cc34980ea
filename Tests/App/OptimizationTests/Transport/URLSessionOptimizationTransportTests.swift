import Foundation
import Testing

@testable import Optimization

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
            // A body of the test ends with a brace; a request without one ends with its head.
            while !request.hasSuffix("}") && !(request.hasPrefix("GET") && request.hasSuffix("\r\n\r\n")) {
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

    func request(_ method: String = "POST", limit: Int = 1_000) -> OptimizationHTTPRequest {
        OptimizationHTTPRequest(
            method: method, url: URL(string: "http://127.0.0.1:\(port)/v2/profiles?locale=en")!,
            headers: ["Content-Type": "text/plain", "Authorization": "Bearer t"],
            body: method == "POST" ? Array("{}".utf8) : nil, withinMilliseconds: 60_000, maximumReplyBytes: limit)
    }

    func failure(_ transport: URLSessionOptimizationTransport, limit: Int = 1_000) async -> TransportFailure? {
        do throws(TransportFailure) {
            _ = try await transport.send(request(limit: limit))
            return nil
        } catch { return error }
    }
}

@Suite(.serialized) struct URLSessionOptimizationTransportTests {
    private let transport = URLSessionOptimizationTransport()

    @Test func `method, headers and body arrive, and each status is a reply`() async throws {
        let server = try ReplyServer([
            ReplyServer.answer(200, "{}", "Content-Type: application/json\r\n"),
            ReplyServer.answer(429, "later", "X-Contentful-RateLimit-Reset: 7\r\n"),
            ReplyServer.answer(302, "", "Location: http://127.0.0.1:1/\r\n"),
        ])
        defer { server.stop() }
        let first = try await transport.send(server.request())
        #expect(first.status == 200 && first.body == Array("{}".utf8))
        let second = try await transport.send(server.request("GET"))
        #expect(second.status == 429 && second.pauseMilliseconds == 7_000)
        #expect(try await transport.send(server.request()).status == 302)
        let post = try #require(server.requests.first).lowercased()
        #expect(post.hasPrefix("post /v2/profiles?locale=en http/1.1\r\n") && post.hasSuffix("\r\n\r\n{}"))
        #expect(post.contains("content-type: text/plain") && post.contains("authorization: bearer t"))
        #expect(server.requests[1].lowercased().hasPrefix("get /v2/profiles?locale=en http/1.1\r\n"))
    }

    @Test func `a reply over the limit, a cut one and none are failures`() async throws {
        let server = try ReplyServer([
            ReplyServer.answer(200, String(repeating: "x", count: 1_000)),
            ReplyServer.answer(200, String(repeating: "x", count: 1_001)),
            ReplyServer.answer(200, "{\"a\":", length: 100), "",
        ])
        defer { server.stop() }
        #expect(await server.failure(transport) == nil)
        #expect(await server.failure(transport) == .tooLarge(1_000))
        for _ in 0..<2 {
            guard case .network? = await server.failure(transport) else {
                Issue.record("it is not a failure of the network")
                continue
            }
        }
    }

    @Test func `a cancelled request ends at once`() async throws {
        let server = try ReplyServer([])
        defer { server.stop() }
        let transport = transport
        let task = Task { await server.failure(transport) }
        while server.requests.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value == .cancelled)
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await server.failure(transport)
        }
        #expect(await early.value == .cancelled)
    }

    @Test func `a pause is read from either header, in seconds`() {
        func pause(_ headers: [String: String]) -> Int64? {
            OptimizationHTTPReply(status: 429, headers: headers).pauseMilliseconds
        }
        #expect(pause(["retry-after": " 1.5 "]) == 1_500 && pause(["x-contentful-ratelimit-reset": "2"]) == 2_000)
        #expect(pause(["retry-after": "1e300"]) == 86_400_000)
        for text in ["", "soon", "-1", "nan", "Wed, 21 Oct 2026 07:28:00 GMT"] {
            #expect(pause(["retry-after": text]) == nil)
        }
    }
}
