import Foundation
import PushDispatch
import SelectiveSync
import Testing

/// The calls of the client other than the fetch, over real HTTP.
@Suite(.serialized)
struct RESTClientCallTests {
    private func client(
        _ server: TinyServer, _ events: Shared<[RESTEvent]> = Shared([])
    ) -> RESTClient {
        RESTClient(onEvent: { event in events.change { $0.append(event) } }) { [url = server.url] _ in
            ServerSession(instance: url, accessToken: "token")
        }
    }

    private static func page(_ number: Int, next: String?) -> String {
        let next = next.map { #","nextRecordsUrl":"\#($0)""# } ?? ""
        let record = #"{"attributes":{"type":"Account"},"Id":"\#(RecordID.test(number))"}"#
        return TinyServer.answer(
            200, #"{"totalSize":2,"done":\#(next.isEmpty)\#(next),"records":[\#(record)]}"#,
            "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nSforce-Limit-Info: api-usage=18/5000\r\n"
                + "Content-Type: application/json;charset=UTF-8\r\n")
    }

    private let query = QueryRequest(
        object: "Account", fields: ["Id"], orderField: "LastModifiedDate", timeoutMilliseconds: 20_000)

    @Test func `a query fetches page after page, and reports the server's clock and the used calls`() async throws {
        let next = "/services/data/v66.0/query/01gD0000002HU6KIAW-1"
        let server = try TinyServer([Self.page(1, next: next), Self.page(2, next: nil)])
        defer { server.stop() }
        let events = Shared<[RESTEvent]>([])
        let client = client(server, events)
        let first = try await client.query(query)
        #expect(first.next == next && first.totalSize == 2)
        #expect(first.serverDate == ServerDate("1994-11-06T08:49:37Z"))
        var request = query
        request.next = first.next
        let second = try await client.query(request)
        #expect(second.records.map(\.id) == [.test(2)] && second.next == nil)
        #expect(server.requests[0].hasPrefix("GET /services/data/v66.0/query?q=SELECT%20Id%20FROM%20Account%20ORDER"))
        #expect(server.requests[0].lowercased().contains("sforce-query-options: batchsize=2000"))
        #expect(server.requests[1].hasPrefix("GET \(next) HTTP/1.1\r\n"))
        let usage = try #require(LimitInfo("api-usage=18/5000"))
        #expect(events.value == [.usage(usage), .usage(usage)])
    }

    @Test(arguments: [414, 431]) func `a query with a refused address is sent in a body instead`(status: Int)
        async throws
    {
        let body =
            #"{"compositeResponse":[{"body":{"totalSize":0,"done":true,"records":[]},"httpStatusCode":200,"#
            + #""httpHeaders":{},"referenceId":"call0"}]}"#
        let server = try TinyServer([TinyServer.answer(status, ""), TinyServer.answer(200, body)])
        defer { server.stop() }
        let events = Shared<[RESTEvent]>([])
        #expect(try await client(server, events).query(query).records.isEmpty)
        #expect(server.requests[1].hasPrefix("POST /services/data/v66.0/composite HTTP/1.1\r\n"))
        #expect(events.value == [.addressRefused])
    }

    @Test func `an address that is refused in every form is an error`() async throws {
        let server = try TinyServer { _, _ in .message(TinyServer.answer(414, "")) }
        defer { server.stop() }
        await #expect { try await client(server).query(query) } throws: { ($0 as? FetchError)?.status == 414 }
        #expect(server.requests.count == 2)
    }

    @Test func `a busy server demands a wait`() async throws {
        let server = try TinyServer([
            TinyServer.answer(
                503, #"[{"message":"x","errorCode":"SERVER_UNAVAILABLE"}]"#,
                "Retry-After: 7\r\nSforce-Limit-Info: api-usage=19/5000\r\n")
        ])
        defer { server.stop() }
        let events = Shared<[RESTEvent]>([])
        await #expect { try await client(server, events).query(query) } throws: { error in
            (error as? FetchError)?.code == .serverUnavailable
                && (error as? FetchError)?.retryAfterMilliseconds == 7_000
        }
        // A refusal counts as one of the day's calls.
        #expect(events.value == [.usage(try #require(LimitInfo("api-usage=19/5000")))])
    }

    @Test func `a refused access token is reported, and both calls share one time limit`() async throws {
        let refusal = TinyServer.answer(401, #"[{"message":"x","errorCode":"INVALID_SESSION_ID"}]"#)
        let server = try TinyServer { _, _ in .message(refusal) }
        defer { server.stop() }
        let events = Shared<[RESTEvent]>([])
        let clock = SystemDispatchClock()
        var request = query
        request.timeoutMilliseconds = 5_000
        let begun = Shared(clock.now())
        let client = RESTClient(onEvent: { event in events.change { $0.append(event) } }) {
            [url = server.url, limit = request.timeoutMilliseconds] refused in
            if refused == nil {
                // The time limit of the client has begun by now.
                begun.change { $0 = clock.now() }
            } else {
                // The renewal uses up all the time that is left.
                try await clock.sleep(until: begun.value.advanced(byMilliseconds: limit + 1))
            }
            return ServerSession(instance: url, accessToken: refused == nil ? "one" : "two")
        }
        await #expect { try await client.query(request) } throws: { ($0 as? FetchError)?.code == .timeout }
        #expect(server.requests.count == 1)
        #expect(events.value == [.accessTokenRefused])
    }

    @Test func `without time no call is sent`() async throws {
        let server = try TinyServer([Self.page(1, next: nil)])
        defer { server.stop() }
        var request = query
        request.timeoutMilliseconds = 0
        await #expect { try await client(server).query(request) } throws: { ($0 as? FetchError)?.code == .timeout }
        #expect(server.requests.isEmpty)
    }

    @Test func `one change has a call of its own, several share one`() async throws {
        let body =
            #"{"compositeResponse":[{"body":null,"httpStatusCode":204,"referenceId":"call0"},"#
            + #"{"body":[{"message":"x","errorCode":"NOT_FOUND"}],"httpStatusCode":404,"referenceId":"call1"}]}"#
        let server = try TinyServer([
            "HTTP/1.1 204 X\r\nConnection: close\r\n\r\n", TinyServer.answer(200, body),
        ])
        defer { server.stop() }
        let client = client(server)
        let date = ServerDate("1994-11-06T08:49:37Z")
        let update = RecordWrite.update(.test(1), ["Name": "A"], unmodifiedSince: date)
        #expect(
            try await client.write([update], of: "Account", timeoutMilliseconds: 20_000) == [.done(id: nil, nil)])
        #expect(server.requests[0].hasPrefix("PATCH /services/data/v66.0/sobjects/Account/001xx0000000001AAA HTTP"))
        #expect(server.requests[0].contains("If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT"))
        let both = try await client.write(
            [update, .delete(.test(2))], of: "Account", timeoutMilliseconds: 20_000)
        #expect(both == [.done(id: nil, nil), .notFound])
        #expect(try await client.write([], of: "Account", timeoutMilliseconds: 20_000).isEmpty)
        #expect(server.requests.count == 2)
    }

    @Test func `a device is registered and unregistered`() async throws {
        let server = try TinyServer([
            TinyServer.answer(201, #"{"id":"0FGxx0000004CXRGA2","success":true,"errors":[]}"#),
            "HTTP/1.1 204 X\r\nConnection: close\r\n\r\n",
            TinyServer.answer(404, #"[{"message":"x","errorCode":"ENTITY_IS_DELETED"}]"#),
            TinyServer.answer(404, #"[{"message":"x","errorCode":"NOT_FOUND"}]"#),
        ])
        defer { server.stop() }
        let client = client(server)
        var device = DeviceRegistration(deviceToken: [0xab, 0x12], bundleID: "com.x")
        device.extra = ["ServiceType": "Other", "CipherName": "none"]
        device.publicKey = "key"
        let id = try await client.register(device)
        #expect(id.description == "0FGxx0000004CXRGA2")
        let sent = try #require(server.requests[0].components(separatedBy: "\r\n\r\n").last)
        #expect(
            sent == #"{"ApplicationBundle":"com.x","CipherName":"RSA_OAEP_SHA256","ConnectionToken":"ab12","#
                + #""RsaPublicKey":"key","ServiceType":"Other"}"#)
        try await client.unregister(id)
        // It does not exist any more, which is no error.
        try await client.unregister(id)
        await #expect { try await client.register(device) } throws: { ($0 as? FetchError)?.code == .notFound }
        device.deviceToken = "no digits"
        await #expect { try await client.register(device) } throws: { ($0 as? FetchError)?.code == .badRequest }
        #expect(server.requests.count == 4)
    }
}
