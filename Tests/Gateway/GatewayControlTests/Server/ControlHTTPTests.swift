import GatewayRuntime
import GatewayTestSupport
import GatewayTesting
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import GatewayControl
@testable import GatewayServer

/// What the control port does with the parts of HTTP/1 that its clients rarely use.
@Suite(.timeLimit(.minutes(10)))
struct ControlHTTPTests {
    /// Sends a text and, when `pause` is in what came, another one. Returns all that comes until `end` or the end of the connection.
    private func exchange(
        _ gateway: TestGateway, _ text: String, pause: String? = nil, rest: String = "", end: String? = nil
    ) async throws -> String {
        let channel = try await gateway.control.open()
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var isPaused = pause != nil
            var answer = ""
            for try await part in inbound {
                answer += String(buffer: part)
                if isPaused, let pause, answer.contains(pause) {
                    isPaused = false
                    try await outbound.write(ByteBuffer(string: rest))
                }
                if let end, answer.contains(end) { break }
            }
            return answer
        }
    }

    @Test func `a client that waits with its body is asked for it, and answered`() async throws {
        try await withGateway { gateway in
            let body = #"{"topic":"\#(gateway.topic)","token":"cd34"}"#
            let head =
                "POST /api/devices HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n"
            let answer = try await exchange(gateway, head, pause: "\r\n\r\n", rest: body)
            #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n"), "\(answer)")
        }
    }

    @Test(
        arguments: [
            ("evil.example", "100", "403"), ("localhost", "9999999999", "413"),
            ("localhost", "99999999999999999999", "400"), ("localhost", "18446744073709551615", "413"),
            ("localhost", "65537", "413"),
        ])
    func `what is refused from the head is answered without its body`(host: String, length: String, status: String)
        async throws
    {
        try await withGateway { gateway in
            for expectation in ["", "Expect: 100-continue\r\n"] {
                let head =
                    "POST /api/devices HTTP/1.1\r\nHost: \(host)\r\n\(expectation)Content-Length: \(length)\r\n\r\n"
                let answer = try await exchange(gateway, head)
                #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
                #expect(ControlClient.head(answer).headers["connection"] == "close")
            }
        }
    }

    @Test func `a client of HTTP/1.0 gets no chunks, and its connection ends with the answer`() async throws {
        try await withGateway { gateway in
            let health = try await exchange(gateway, "GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n")
            #expect(health.hasPrefix("HTTP/1.0 200 OK\r\n"), "\(health)")
            #expect(health.hasSuffix(#"{"status":"ok"}"#), "\(health)")
            let events = try await exchange(
                gateway, "GET /api/events HTTP/1.0\r\nHost: localhost\r\n\r\n", end: ": connected")
            #expect(!events.lowercased().contains("transfer-encoding"), "\(events)")
            #expect(events.contains("\r\n\r\n: connected"), "\(events)")
        }
    }

    @Test(
        arguments: [
            ("/health", "Host: localhost\r\nHost: localhost", "400"),
            ("/health", "Host: localhost\r\nHost: evil.example", "400"),
            ("http://localhost/health", "Host: localhost\r\nhost: localhost", "400"),
            ("http://localhost/health", "Host: evil.example", "200"),
            ("http://evil.example/health", "Host: localhost", "403"),
            ("http://localhost@evil.example/health", "Host: localhost", "403"),
        ])
    func `one host decides, and that of an absolute target comes first`(target: String, hosts: String, status: String)
        async throws
    {
        try await withGateway { gateway in
            let answer = try await exchange(gateway, "GET \(target) HTTP/1.1\r\n\(hosts)\r\nConnection: close\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            // Of an absolute target that is refused, the header was right.
            guard status == "403" else { return }
            #expect(answer.contains("the request names another machine as its host"), "\(answer)")
        }
    }

    @Test(
        arguments: [
            ("FOO /api/clock", "", "501", "method"), ("GET /health", "Content-Length: -1\r\n", "400", "HTTP/1.1"),
            ("GET /health", "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", "400", "HTTP/1.1"),
            ("POST /api/devices", "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "400", "HTTP/1.1"),
        ])
    func `what is not a request of HTTP is answered with a problem`(
        line: String, headers: String, status: String, detail: String
    ) async throws {
        try await withGateway { gateway in
            let answer = try await exchange(gateway, "\(line) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            #expect(ControlClient.head(answer).headers["content-type"] == "application/problem+json")
            #expect(answer.contains(#""status":\#(status)"#) && answer.contains(detail), "\(answer)")
        }
    }

    /// After a chunk that is a rule by itself, something that is no chunk comes, or the end of the client's direction.
    @Test(arguments: ["zz\r\n", ""])
    func `a request whose body breaks off is not carried out`(rest: String) async throws {
        try await withGateway { gateway in
            let memory = try #require(gateway.running.worlds.memory)
            // So long that it counts from when it is read until the request is done.
            let rule = #"{"effect":{"lose":true}}"# + String(repeating: " ", count: 2 * BodyMemory.smallRequest)
            let request =
                "POST /api/faults HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "\(String(rule.utf8.count, radix: 16))\r\n\(rule)\r\n"
            let channel = try await gateway.control.open(canHalfClose: true)
            let answer = try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: request))
                let isRead = await eventually { memory.bodyBytes > 0 }
                #expect(isRead)
                if rest.isEmpty { outbound.finish() } else { try await outbound.write(ByteBuffer(string: rest)) }
                var answer = ""
                for try await part in inbound { answer += String(buffer: part) }
                return answer
            }
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
            let isDone = await eventually { memory.bodyBytes == 0 }
            #expect(isDone)
            #expect(gateway.running.faults.isEmpty)
        }
    }

    @Test(
        arguments: [
            ("GET /", " HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            ("GET /health HTTP/1.1\r\nHost: localhost\r\nX: ", "\r\n\r\n"),
        ])
    func `a head that is too large is answered with a problem`(before: String, after: String) async throws {
        try await withGateway { gateway in
            let answer = try await exchange(gateway, before + String(repeating: "a", count: 100_000) + after)
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("16 KiB"), "\(answer)")
        }
    }

    @Test(
        arguments: [
            ("http://a.example:80/b?c#d", "/b?c#d", "a.example:80"), ("HTTPS://a.example", "/", "a.example"),
            ("http://a.example?b", "/?b", "a.example"), ("/b?http://a.example/", "/b?http://a.example/", "localhost"),
            ("//a.example/b", "//a.example/b", "localhost"), ("*", "*", "localhost"),
        ])
    func `the host of an absolute target replaces the header`(target: String, path: String, host: String) {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: ["Host": "localhost"])
        head.takeHostOfTarget()
        #expect(head.uri == path && head.headers["host"] == [host])
    }
}
