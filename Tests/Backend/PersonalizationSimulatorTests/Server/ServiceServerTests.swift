import APNSModel
import Foundation
import PersonalizationSimulator
import PushDispatch
import ServiceHost
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The service over HTTP.
@Suite(.timeLimit(.minutes(10))) struct ServiceServerTests {
    private func withServer(
        _ options: ServiceServer.Options = ServiceServer.Options(), _ body: (ServiceServer) async throws -> Void
    ) async throws {
        let server = try await ServiceServer.start(world(shop), options)
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private struct HTTPAnswer {
        var status: Int
        var body: String
        var headers: HTTPURLResponse
        var json: JSONValue {
            let limits = JSONLimits(maximumBytes: 1 << 20, maximumDepth: 32, maximumValues: 100_000)
            return (try? JSONReader.read(Array(body.utf8), limits: limits)) ?? .null
        }
    }

    private func call(
        _ server: ServiceServer, _ method: String, _ path: String, _ body: String? = nil,
        type: String = "application/json", headers: [String: String] = [:]
    ) async throws -> HTTPAnswer {
        var request = URLRequest(url: try #require(URL(string: server.url + path)))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        if body != nil { request.setValue(type, forHTTPHeaderField: "content-type") }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(for: request)
        let http = try #require(response as? HTTPURLResponse)
        return HTTPAnswer(status: http.statusCode, body: String(decoding: data, as: UTF8.self), headers: http)
    }

    private let ask = #"{"context":{"individualId":"d-1"},"personalizationPoints":[{"name":"recs"}]}"#

    @Test func `a decision, an event and what became of them go over HTTP`() async throws {
        try await withServer { (server) async throws -> Void in
            let decision = try await call(server, "POST", "/personalization/decisions", ask)
            #expect(decision.status == 200)
            let personalization = decision.json["personalizations"][0]
            let batch: JSONValue = ["events": [.object(engagement(1, "Click", personalization))]]
            let source = try #require(
                try await call(server, "GET", "/health").json["app-source-id"].string)
            let sent = try await call(
                server, "POST", "/web/events/\(source)", "event=" + formField(batch.compactBytes),
                type: "application/x-www-form-urlencoded")
            #expect(sent.status == 204 && sent.body.isEmpty)
            let listed = try await call(server, "GET", "/api/decisions?limit=10")
            #expect(listed.json["decisions"][0]["clicks"] == 1)
            #expect(server.read { $0.service.credits } == 1)
        }
    }

    @Test func `a lost answer closes the connection, and the request took effect`() async throws {
        try await withServer { (server) async throws -> Void in
            let fault = #"{"match":{"path":"decisions"},"effect":{"lose-answer":true},"count":1}"#
            #expect(try await call(server, "POST", "/api/faults", fault).status == 201)
            await #expect(throws: (any Error).self) {
                try await call(server, "POST", "/personalization/decisions", ask)
            }
            // URLSession may repeat a request whose connection was closed; the first took effect.
            #expect(server.read { $0.service.decisions.records.count } >= 1)
        }
    }

    @Test func `a request that gets no answer times out at the client, and has no effect`() async throws {
        try await withServer { (server) async throws -> Void in
            _ = try await call(server, "POST", "/api/faults", #"{"effect":{"silence":true}}"#)
            var request = URLRequest(url: try #require(URL(string: server.url + "/personalization/decisions")))
            request.httpMethod = "POST"
            request.httpBody = Data(ask.utf8)
            request.timeoutInterval = 1
            let session = URLSession(configuration: .ephemeral)
            defer { session.invalidateAndCancel() }
            await #expect(throws: (any Error).self) { try await session.data(for: request) }
            #expect(server.read { $0.service.credits } == 0)
        }
    }

    @Test func `a body that is too long is refused`() async throws {
        try await withServer { (server) async throws -> Void in
            let answer = try? await call(
                server, "POST", "/personalization/decisions", String(repeating: " ", count: ServiceLimits.body + 1))
            #expect(answer == nil || answer?.status == 400, "the connection may close before the body is sent")
            #expect(try await call(server, "POST", "/personalization/decisions", ask).status == 200)
        }
    }

    @Test func `the control API is closed to other web pages and other hosts, the vendor's paths are open`()
        async throws
    {
        try await withServer { (server) async throws -> Void in
            let origin = ["origin": "https://example.com"]
            #expect(try await call(server, "GET", "/api/decisions", headers: origin).status == 403)
            #expect(try await call(server, "GET", "/api/decisions", headers: ["origin": server.url]).status == 200)
            #expect(try await call(server, "POST", "/personalization/decisions", ask, headers: origin).status == 200)
            #expect(try await call(server, "GET", "/api/state", headers: ["host": "example.com"]).status == 403)
        }
    }

    @Test func `a browser lets pages of any site use the vendor's paths, and a preflight uses up no fault`()
        async throws
    {
        try await withServer { (server) async throws -> Void in
            _ = try await call(
                server, "POST", "/api/faults", #"{"match":{"path":"decisions"},"effect":{"status":503},"count":1}"#)
            let preflight = [
                "origin": "https://example.com", "access-control-request-method": "POST",
                "access-control-request-headers": "authorization,content-type",
            ]
            for path in ["/personalization/decisions", "/web/events/x", "/personalization/authenticated/decisions"] {
                let answer = try await call(server, "OPTIONS", path, headers: preflight)
                #expect(answer.status == 204 && answer.body.isEmpty)
                func header(_ name: String) -> String? { answer.headers.value(forHTTPHeaderField: name) }
                #expect(
                    header("access-control-allow-origin") == "*" && header("access-control-allow-methods") == "POST")
                #expect(header("access-control-allow-headers") == "authorization, content-type")
            }
            let origin = ["origin": "https://example.com"]
            let refused = try await call(server, "POST", "/personalization/decisions", ask, headers: origin)
            #expect(refused.status == 503, "the fault is still there")
            #expect(refused.headers.value(forHTTPHeaderField: "access-control-allow-origin") == "*")
            #expect(refused.headers.value(forHTTPHeaderField: "access-control-expose-headers") == "retry-after")
            let answer = try await call(server, "POST", "/personalization/decisions", ask, headers: origin)
            #expect(answer.status == 200)
            #expect(answer.headers.value(forHTTPHeaderField: "access-control-allow-origin") == "*")
            let control = try await call(server, "OPTIONS", "/api/state", headers: preflight)
            #expect(control.status == 403)
            #expect(control.headers.value(forHTTPHeaderField: "access-control-allow-origin") == nil)
            let own = try await call(server, "GET", "/api/state", headers: ["origin": server.url])
            #expect(own.headers.value(forHTTPHeaderField: "access-control-allow-origin") == nil)
        }
    }

    @Test func `with a control token the control API asks for it`() async throws {
        var options = ServiceServer.Options()
        options.controlToken = "a-token-for-tests"
        try await withServer(options) { (server) async throws -> Void in
            #expect(try await call(server, "GET", "/api/state").status == 401)
            #expect(try await call(server, "GET", "/").status == 200, "the page takes the token behind #token=")
            let probe = try await call(server, "GET", "/health")
            #expect(probe.status == 200 && probe.body == #"{"status":"ok"}"#, "that it answers, and nothing else")
            let wrong = ["authorization": "Bearer another-token"]
            #expect(try await call(server, "GET", "/health", headers: wrong).status == 401)
            let token = ["authorization": "Bearer a-token-for-tests"]
            #expect(try await call(server, "GET", "/api/state", headers: token).status == 200)
            #expect(try await call(server, "GET", "/health", headers: token).body.contains("app-source-id"))
            #expect(try await call(server, "POST", "/personalization/decisions", ask).status == 200)
        }
    }

    @Test func `another address than loopback needs a control token`() async throws {
        var options = ServiceServer.Options()
        options.host = "0.0.0.0"
        await #expect(throws: ServicePort.StartError.self) { try await ServiceServer.start(world(shop), options) }
    }

    @Test func `a port in use is an error that names it`() async throws {
        try await withServer { (server) async throws -> Void in
            var options = ServiceServer.Options()
            options.port = server.port
            await #expect(throws: ServicePort.StartError.self) {
                try await ServiceServer.start(world(shop), options)
            }
        }
    }

    @Test func `the page shows text only and loads nothing from elsewhere`() async throws {
        try await withServer { (server) async throws -> Void in
            let page = try await call(server, "GET", "/")
            #expect(page.status == 200 && page.body.contains("<h1>Decision service</h1>"))
            #expect(
                page.headers.value(forHTTPHeaderField: "content-security-policy")?.contains("default-src 'none'")
                    == true)
            #expect(
                !page.body.contains("innerHTML") && !page.body.contains("http://") && !page.body.contains("https://"))
        }
    }
}
