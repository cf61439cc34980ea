import Foundation
import TestSupport
import Testing

@testable import Optimization

extension ReplyServer {
    fileprivate func request(_ method: String = "POST", limit: Int = 1_000) -> OptimizationHTTPRequest {
        OptimizationHTTPRequest(
            method: method, url: URL(string: "http://127.0.0.1:\(port)/v2/profiles?locale=en")!,
            headers: ["Content-Type": "text/plain", "Authorization": "Bearer t"],
            body: method == "POST" ? Array("{}".utf8) : nil, withinMilliseconds: 60_000, maximumReplyBytes: limit)
    }

    fileprivate func failure(_ transport: URLSessionOptimizationTransport, limit: Int = 1_000) async
        -> TransportFailure?
    {
        do throws(TransportFailure) {
            _ = try await transport.send(request(limit: limit))
            return nil
        } catch { return error }
    }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct URLSessionOptimizationTransportTests {
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
        #expect(await eventually { !server.requests.isEmpty })
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
