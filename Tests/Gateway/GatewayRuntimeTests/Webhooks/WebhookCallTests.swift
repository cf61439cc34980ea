import GatewayConfiguration
import NIOCore
import TestSupport
import Testing

@testable import GatewayRuntime

@Suite(.timeLimit(.minutes(10)))
struct WebhookCallTests {
    private let body = Array("{}".utf8)

    private func url(_ port: some BinaryInteger) throws -> WebhookURL {
        try #require(WebhookURL("http://127.0.0.1:\(port)/"))
    }

    @Test func `an event is posted once where a server answers and closes as soon as it has the body`() async throws {
        let server = try ReplyServer(Array(repeating: ReplyServer.answer(200, ""), count: 200))
        defer { server.stop() }
        for _ in 1...200 {
            #expect(await WebhookCall.post(body, to: try url(server.port), WebhookTLS()) == .accepted)
        }
        #expect(server.requests.count == 200)
    }

    @Test func `what keeps an event from being posted is said in one sentence`() async throws {
        let closed = try HeldPort()
        #expect(
            await WebhookCall.post(body, to: try url(closed.number), WebhookTLS())
                == .unreachable(
                    "127.0.0.1:\(closed.number) cannot be reached: connection refused, nothing listens there"))
        let server = try ReplyServer(["SSH-2.0-OpenSSH_9.6\r\n", "", ReplyServer.answer(503, "")])
        defer { server.stop() }
        let place = "127.0.0.1:\(server.port)"
        let other = await WebhookCall.post(body, to: try url(server.port), WebhookTLS())
        #expect(other == .unreachable("\(place) answered with something that is not HTTP/1.1"))
        let nothing = await WebhookCall.post(body, to: try url(server.port), WebhookTLS())
        #expect(nothing == .unreachable("\(place) closed the connection without an answer"))
        #expect(await WebhookCall.post(body, to: try url(server.port), WebhookTLS()) == .refused(status: 503))
        // It waits for the end of the connection.
        let late = await WebhookCall.post(body, to: try url(server.port), WebhookTLS(), timeout: .seconds(1))
        #expect(late == .unreachable("\(place) gave no answer within 1 s"))
    }
}
