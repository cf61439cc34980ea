import Foundation
import OptimizationSimulator
import PushDispatch
import ServiceHost
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The services over HTTP, and what follows them.
@Suite(.timeLimit(.minutes(10))) struct OptimizationServerTests {
    private struct HTTPAnswer {
        var status: Int
        var body: String
        var headers: HTTPURLResponse
        var json: JSONValue {
            let limits = JSONLimits(maximumBytes: 1 << 24, maximumDepth: 32, maximumValues: 100_000)
            return (try? JSONReader.read(Array(body.utf8), limits: limits)) ?? .null
        }
    }

    private func withServer(
        _ world: OptimizationWorld, _ options: OptimizationServer.Options = OptimizationServer.Options(),
        _ body: (OptimizationServer) async throws -> Void
    ) async throws {
        let server = try await OptimizationServer.start(world, options)
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private func call(
        _ server: OptimizationServer, _ method: String, _ path: String, _ body: String? = nil,
        headers: [String: String] = [:]
    ) async throws -> HTTPAnswer {
        var request = URLRequest(url: try #require(URL(string: server.url + path)))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        request.cachePolicy = .reloadIgnoringLocalCacheData
        if body != nil { request.setValue("text/plain", forHTTPHeaderField: "content-type") }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(for: request)
        let http = try #require(response as? HTTPURLResponse)
        return HTTPAnswer(status: http.statusCode, body: String(decoding: data, as: UTF8.self), headers: http)
    }

    private let page = #"{"events":[{"type":"page"}]}"#

    @Test func `profiles, analytics, entries and the control API are on one port`() async throws {
        let world = world("", entries: text([experience("exp", shares: [0, 1])]))
        try await withServer(world) { (server) async throws -> Void in
            let made = try await call(server, "POST", profiles, page)
            #expect(made.status == 200 && made.json["data"]["experiences"][0]["variantIndex"] == 1)
            let id = try #require(made.json["data"]["profile"]["id"].string)
            let views = #"[{"profile":{"id":"\#(id)"},"events":[{"type":"component","componentId":"hero"}]}]"#
            let analytics = "/v1/organizations/org-1/environments/master/events"
            #expect(try await call(server, "POST", analytics, views).status == 204)
            let bearer = ["authorization": "Bearer token-1"]
            let entries = try await call(server, "GET", "/spaces/space-1/environments/master/entries", headers: bearer)
            #expect(entries.json["total"] == 1)
            let tag = try #require(entries.headers.value(forHTTPHeaderField: "etag"))
            let again = try await call(
                server, "GET", "/spaces/space-1/environments/master/entries",
                headers: bearer.merging(["if-none-match": tag]) { $1 })
            #expect(again.status == 304 && again.body.isEmpty)
            #expect(try await call(server, "GET", "/api/events").json["total"] == 2)
            #expect(try await call(server, "GET", "/openapi.json").json["openapi"] == "3.1.0")
        }
    }

    @Test func `a body that is too long is refused in the form of the service`() async throws {
        try await withServer(world("")) { (server) async throws -> Void in
            let long = String(repeating: " ", count: 10_000_000)
            let answer = try? await call(server, "POST", profiles, long)
            #expect(answer == nil || answer?.status == 400, "the connection may close before the body is sent")
            #expect(try await call(server, "POST", profiles, page).status == 200)
        }
    }

    @Test func `with a control token the control API asks for it, and the vendor's paths do not`() async throws {
        var options = OptimizationServer.Options()
        options.controlToken = "a-token-for-tests"
        try await withServer(world(""), options) { (server) async throws -> Void in
            #expect(try await call(server, "GET", "/api/profiles").status == 401)
            #expect(try await call(server, "POST", profiles, page).status == 200)
            let token = ["authorization": "Bearer a-token-for-tests"]
            #expect(try await call(server, "GET", "/api/profiles", headers: token).json["total"] == 1)
            let origin = token.merging(["origin": "https://example.com"]) { $1 }
            #expect(try await call(server, "GET", "/api/profiles", headers: origin).status == 403)
        }
    }

    @Test func `the page shows text only and loads nothing from elsewhere`() async throws {
        try await withServer(world("")) { (server) async throws -> Void in
            let page = try await call(server, "GET", "/")
            #expect(page.status == 200 && page.body.contains("<h1>Optimization</h1>"))
            let policy = page.headers.value(forHTTPHeaderField: "content-security-policy")
            #expect(policy?.contains("default-src 'none'") == true)
            #expect(
                !page.body.contains("innerHTML") && !page.body.contains("http://") && !page.body.contains("https://"))
        }
    }

    // MARK: Events

    private func names(of bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .filter { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) }
    }

    private func next(_ stream: ServiceStream) async -> [String] {
        for await bytes in stream.events {
            let names = names(of: bytes)
            if !names.isEmpty { return names }
        }
        return []
    }

    @Test func `what happens comes as events: profiles, merges, events and the shares`() async throws {
        let state = try WorldState(world("", entries: text([experience("exp")])), nil)
        let stream = try #require(state.subscribe())
        func send(_ id: String, _ event: [String: JSONValue]) {
            let body = text(["events": [.object(event)]])
            _ = state.answer(
                ServiceRequest(
                    "POST", profiles + "/" + id, headers: ["content-type": "text/plain"], body: Array(body.utf8)))
        }
        send("a", identify(1, "u"))
        #expect(await next(stream) == ["profile", "event", "experience", "state"])
        send("b", event(2, "page"))
        #expect(await next(stream) == ["profile", "event", "experience", "state"])
        send("b", identify(3, "u"))
        #expect(await next(stream) == ["profile", "profile-gone", "event", "experience", "state"])
        send("a", event(4, "page"))
        #expect(await next(stream) == ["profile", "event", "state"], "no share has changed")
        _ = state.answer(ServiceRequest("POST", "/api/reset"))
        #expect(await next(stream) == ["reset", "state"])
        stream.onEnd()
    }
}
