import Foundation
import TestSupport
import Testing

@testable import Personalization

extension ReplyServer {
    fileprivate func failure(_ transport: URLSessionDecisionTransport, limit: Int = 1_000) async -> DecisionError? {
        do throws(DecisionError) {
            _ = try await transport.send(request(limit))
            return nil
        } catch { return error }
    }

    fileprivate func request(_ limit: Int = 1_000) -> DecisionHTTPRequest {
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
