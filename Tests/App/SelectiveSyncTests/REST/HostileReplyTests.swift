import Foundation
import PushDispatch
import SelectiveSync
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Invalid replies over real HTTP. Each is reported and limited, and the hint stays.
@Suite(.serialized)
struct HostileReplyTests {
    private static let record = #"{"attributes":{"type":"Account"},"Id":"\#(RecordID.test(1))","Name":"A"}"#

    /// Handles a push for record 1 with this server.
    private func push(
        _ script: @escaping TinyServer.Script, milliseconds: Int64 = 20_000, maximumReplyBytes: Int = 50_000
    ) async throws -> (report: HandlerReport, pending: Int, errors: [FetchError.Code], requests: [String]) {
        let server = try TinyServer(script)
        defer { server.stop() }
        let client = RESTClient(maximumReplyBytes: maximumReplyBytes) { [url = server.url] _ in
            ServerSession(instance: url, accessToken: "secret-token")
        }
        var policy = SyncPolicy()
        policy.gatherMilliseconds = 0
        policy.maximumTries = 1
        let store = MemoryRecordStore()
        let errors = Shared<[FetchError]>([])
        let sync = RecordSync(
            objects: [SyncObject("Account", fields: ["Name"], stamps: [])], policy: policy, fetcher: client,
            store: store
        ) { event in
            if case .fetchFailed(_, let error) = event { errors.change { $0.append(error) } }
        }
        let clock = SystemDispatchClock()
        let context = HandlerContext(
            stopAt: clock.now().advanced(byMilliseconds: milliseconds), clock: clock, onRequest: {}, onDone: { _, _ in }
        )
        let report = await sync.handle(Hint(type: "T", object: "Account", records: [.test(1)]), context)
        #expect(await store.records(of: "Account").isEmpty)
        #expect(!errors.value.contains { "\($0)".contains("secret") })
        return (
            report, await store.pending(of: "Account", after: nil).count, errors.value.map(\.code),
            server.requests
        )
    }

    private func expectKept(
        _ code: FetchError.Code, maximumReplyBytes: Int = 50_000,
        _ location: SourceLocation = #_sourceLocation, _ script: @escaping TinyServer.Script
    ) async throws {
        let (report, pending, errors, requests) = try await push(script, maximumReplyBytes: maximumReplyBytes)
        #expect(report.result == .failed && report.unfinished == [.test(1)], sourceLocation: location)
        #expect(pending == 1, sourceLocation: location)
        #expect(errors == [code], sourceLocation: location)
        #expect(requests.count == 1, sourceLocation: location)
    }

    @Test(arguments: [
        "[]", "[null,null]", "[\(HostileReplyTests.record),\(HostileReplyTests.record)]", "{}", "null", "7", "",
        "[\(HostileReplyTests.record.replacing("Account", with: "Contact"))]",
        "[\(HostileReplyTests.record.replacing("0001AAA", with: "0002AAA"))]",
        "[\(HostileReplyTests.record.replacing(#","Name":"A""#, with: ""))]", "[[\(HostileReplyTests.record)]]",
        #"[{"message":"secret","errorCode":"INVALID_SESSION_ID"}]"#, "<html><body>Log in</body></html>",
        "[\(HostileReplyTests.record)", "[\(HostileReplyTests.record)]]", "[\"\u{1}\"]",
        String(repeating: "[", count: 40_000),
    ])
    func `an invalid body`(body: String) async throws {
        try await expectKept(.badReply) { _, _ in .message(TinyServer.answer(200, body)) }
    }

    @Test func `a page of HTML with a success status`() async throws {
        try await expectKept(.badReply) { _, _ in
            .message(TinyServer.answer(200, "[null]", "Content-Type: text/html\r\n"))
        }
    }

    @Test(arguments: [400, 403, 404, 414, 451])
    func `a refusal of a proxy without a readable reason`(status: Int) async throws {
        try await expectKept(.unexplained) { _, _ in
            .message(TinyServer.answer(status, "<html>Blocked</html>", "Content-Type: text/html\r\n"))
        }
    }

    @Test func `JSON cut off by the connection's end`() async throws {
        try await expectKept(.network) { _, _ in
            .message("HTTP/1.1 200 X\r\nContent-Length: 900\r\n\r\n[\(Self.record)")
        }
    }

    @Test func `an answer that is not HTTP`() async throws {
        try await expectKept(.network) { _, _ in .message("\u{15}\u{3}\u{1}\0\u{2}\u{2}(") }
    }

    @Test func `an endless reply is cancelled at the limit`() async throws {
        try await expectKept(.replyTooLarge) { _, _ in
            .message("HTTP/1.1 200 X\r\n\r\n" + String(repeating: " ", count: 5_000_000))
        }
    }

    @Test func `a slow reply is cancelled when its time is over`() async throws {
        // On a busy machine a short time may be over before the server has read the request.
        for milliseconds: Int64 in [400, 4_000, 16_000] {
            let (report, pending, errors, requests) = try await push(
                { _, _ in .drip("HTTP/1.1 200 X\r\nContent-Length: 40000\r\n\r\n[") }, milliseconds: milliseconds)
            if requests.isEmpty && milliseconds < 16_000 { continue }
            #expect(report.result == .failed && report.unfinished == [.test(1)])
            #expect(pending == 1)
            #expect(errors == [.timeout])
            #expect(requests.count == 1)
            return
        }
    }

    @Test func `a redirect does not get the access token`() async throws {
        let other = try TinyServer { _, _ in .message(TinyServer.answer(200, "[\(Self.record)]")) }
        defer { other.stop() }
        for status in [301, 302, 303, 307, 308] {
            try await expectKept(.redirected) { [url = other.url] _, _ in
                .message(TinyServer.answer(status, "", "Location: \(url)/services/data\r\n"))
            }
        }
        #expect(other.requests.isEmpty)
    }

    @Test func `a server that keeps saying 401 is asked twice`() async throws {
        let refusal = TinyServer.answer(401, #"[{"message":"x","errorCode":"INVALID_SESSION_ID"}]"#)
        let server = try TinyServer { _, _ in .message(refusal) }
        defer { server.stop() }
        let tokens = Shared(0)
        let client = RESTClient { [url = server.url] _ in
            tokens.change { $0 += 1 }
            return ServerSession(instance: url, accessToken: "token \(tokens.value)")
        }
        let request = FetchRequest(object: "Account", records: [.test(1)], fields: [], timeoutMilliseconds: 20_000)
        await #expect { try await client.fetch(request) } throws: { ($0 as? FetchError)?.advice == .logIn }
        #expect(server.requests.count == 2)
    }

    @Test func `cookies and cached replies are not kept`() async throws {
        let answer = TinyServer.answer(
            200, "[null]", "Set-Cookie: a=b; Path=/\r\nCache-Control: max-age=1000\r\nETag: \"x\"\r\n")
        let server = try TinyServer { _, _ in .message(answer) }
        defer { server.stop() }
        let client = RESTClient(configuration: .default) { [url = server.url] _ in
            ServerSession(instance: url, accessToken: "t")
        }
        let request = FetchRequest(object: "Account", records: [.test(1)], fields: [], timeoutMilliseconds: 20_000)
        for _ in 0..<2 { _ = try await client.fetch(request) }
        #expect(server.requests.count == 2)
        #expect(!server.requests.contains { $0.lowercased().contains("cookie") || $0.contains("If-None-Match") })
    }
}
