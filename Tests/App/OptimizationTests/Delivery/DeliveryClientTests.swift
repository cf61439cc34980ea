import EventDelivery
import Foundation
import PushDispatch
import Testing

@testable import Optimization

struct DeliveryClientTests {
    private let services = TestServices()
    private let clock = TestClock()

    private func client(
        cache: (any DeliveryCache)? = nil, _ configure: (inout DeliveryConfiguration) -> Void = { _ in }
    ) -> DeliveryClient {
        var configuration = DeliveryConfiguration(space: "space-1", accessToken: "secret-token")
        configure(&configuration)
        return DeliveryClient(
            configuration, transport: services, cache: cache, clock: clock, wallClock: { [clock] in clock.time() })
    }

    private func page(
        _ ids: [String], total: Int, includes: [JSONValue] = [], tag: String? = nil
    ) -> TestServices.Answer {
        let reply: JSONValue = [
            "total": .integer(Int64(total)), "skip": 0, "limit": 100,
            "items": .array(ids.map { TestEntries.entry($0, ["next": TestEntries.link("shared")]) }),
            "includes": ["Entry": .array(includes)],
        ]
        return .status(
            200, body: String(decoding: reply.compactBytes, as: UTF8.self), headers: tag.map { ["etag": $0] } ?? [:])
    }

    private func refusal(_ status: Int, _ id: String, headers: [String: String] = [:]) -> TestServices.Answer {
        .status(
            status,
            body: #"{"sys":{"type":"Error","id":"\#(id)"},"message":"secret detail","requestId":"r-1"}"#,
            headers: headers)
    }

    private func query(of request: OptimizationHTTPRequest) -> [String: String] {
        let items = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
    }

    @Test func `a reply that has not changed is not sent again`() async throws {
        let cache = MemoryDeliveryCache()
        services.script(
            page(["e0"], total: 1, tag: "\"v1\""), .status(304), page(["e1"], total: 1, tag: "\"v2\""),
            page(["e0", "e1"], total: 3, tag: "\"v3\""), page(["e2"], total: 3, tag: "\"v4\""), .status(304))
        let client = client(cache: cache) { $0.pageSize = 2 }
        let query = DeliveryQuery(contentType: "hero")
        _ = try await client.entries(query)
        clock.advance(milliseconds: 60_000)
        let same = try await client.entries(query)
        #expect(same.entries.map(\.id) == ["e0"] && same.source == .network && same.time == clock.time())
        // Offline its age counts from the time at which the service said so.
        #expect(try await client.entries(query).entries.map(\.id) == ["e1"])
        #expect(try await client.entries(query).entries.count == 3)
        #expect(services.requests.map { $0.headers["If-None-Match"] } == [nil, "\"v1\"", "\"v1\"", "\"v2\"", nil])
        // The name of one page says nothing about all of them; and nobody asked for a 304.
        await #expect(throws: DeliveryError.self) { try await self.client().entries(query) }
        #expect(services.requests.last?.headers["If-None-Match"] == nil)
    }

    @Test func `a file of the cache keeps the name of its version`() throws {
        let kept = CachedEntries(reply: DeliveryReply(items: []), time: .now(), entityTag: "\"v1\"")
        #expect(CachedEntries(bytes: kept.bytes, maximumBytes: 1_000) == kept)
        let before = Array(#"{"time":7,"items":[],"includes":{"All":[]}}"#.utf8)
        #expect(CachedEntries(bytes: before, maximumBytes: 1_000)?.entityTag == nil)
    }

    @Test func `all pages are fetched with ten levels, and linked together`() async throws {
        let shared = TestEntries.entry("shared", ["title": "S"])
        services.script(
            page((0..<2).map { "e\($0)" }, total: 5, includes: [shared]), page(["e1", "e2", "e3"], total: 5),
            page(["e4"], total: 5))
        let fetched = try await client { $0.pageSize = 2 }.entries(
            DeliveryQuery(contentType: "hero", locale: "en-US", parameters: ["fields.slug": "a+b", "include": "1"]))
        // An entry that moved to the next page comes once.
        #expect(fetched.entries.map(\.id) == ["e0", "e1", "e2", "e3", "e4"] && fetched.isComplete)
        #expect(fetched.source == .network && fetched.unreplaced.isEmpty)
        #expect(fetched["e4"]?["next"]?.object?["fields"]?.object?["title"] == "S")
        #expect(services.requests.map { query(of: $0)["skip"] } == ["0", "2", "4"])
        let request = try #require(services.requests.first)
        #expect(
            request.url.absoluteString.hasPrefix(
                "https://cdn.contentful.com/spaces/space-1/environments/master/entries?"))
        #expect(request.headers["Authorization"] == "Bearer secret-token" && request.method == "GET")
        let parameters = query(of: request)
        #expect(parameters["include"] == "10" && parameters["content_type"] == "hero" && parameters["limit"] == "2")
        #expect(parameters["locale"] == "en-US" && request.url.absoluteString.contains("fields.slug=a%2Bb"))
    }

    @Test func `a total that is wrong ends`() async throws {
        services.script(page(["a"], total: .max), page([], total: .max))
        let fetched = try await client().entries(DeliveryQuery())
        #expect(fetched.entries.map(\.id) == ["a"] && services.requests.count == 2)
        services.answerAlways(page(["a"], total: .max))
        let bounded = try await client { $0.maximumEntries = 500 }.entries(DeliveryQuery())
        #expect(!bounded.isComplete && services.requests.count == 7)
    }

    @Test func `errors are known by their id`() async throws {
        let cases: [(TestServices.Answer, DeliveryError.Kind)] = [
            (refusal(404, "NotFound"), .notFound), (refusal(401, "AccessTokenInvalid"), .accessTokenInvalid),
            (refusal(422, "InvalidQuery"), .service("InvalidQuery")), (.status(500), .service("500")),
            (.status(404), .notFound), (.status(401), .accessTokenInvalid), (.failure(.network(-1009)), .network),
            (.failure(.timeout), .network), (.failure(.tooLarge(5)), .replyInvalid), (.failure(.cancelled), .cancelled),
            (.status(200, body: "<html>"), .replyInvalid),
        ]
        for (answer, kind) in cases {
            services.script(answer)
            let error = await #expect(throws: DeliveryError.self) { try await client().entries(DeliveryQuery()) }
            #expect(error?.kind == kind)
            #expect(error?.description.contains("secret") == false)
        }
        services.script(refusal(404, "NotFound"))
        let error = await #expect(throws: DeliveryError.self) { try await client().entries(DeliveryQuery()) }
        #expect(error?.requestID == "r-1" && error?.description.hasSuffix("(request r-1)") == true)
    }

    @Test func `429 waits as long as the service asks for`() async throws {
        services.script(
            refusal(429, "RateLimitExceeded", headers: ["x-contentful-ratelimit-reset": "2"]), page([], total: 0))
        let client = client()
        let fetching = Task { try await client.entries(DeliveryQuery()) }
        while clock.alarms.isEmpty { await Task.yield() }
        #expect(clock.alarms == [clock.now().advanced(byMilliseconds: 2_000)])
        clock.advance(milliseconds: 2_000)
        #expect(try await fetching.value.source == .network && services.requests.count == 2)
        // A pause that is too long is an error with the pause.
        services.script(refusal(429, "RateLimitExceeded", headers: ["retry-after": "3600"]))
        let error = await #expect(throws: DeliveryError.self) { try await client.entries(DeliveryQuery()) }
        #expect(error?.kind == .rateLimitExceeded && error?.retryAfterMilliseconds == 3_600_000)
        // It ends after three repeats.
        services.answerAlways(refusal(429, "RateLimitExceeded", headers: ["retry-after": "0"]))
        let count = services.requests.count
        let repeating = Task { try await client.entries(DeliveryQuery()) }
        for _ in 0..<3 {
            while clock.alarms.isEmpty { await Task.yield() }
            clock.advance(milliseconds: 1)
        }
        await #expect(throws: DeliveryError.self) { try await repeating.value }
        #expect(services.requests.count == count + 4)
    }

    @Test func `offline the last good reply is given with its age`() async throws {
        let client = client(cache: MemoryDeliveryCache())
        services.script(page(["a"], total: 1))
        let query = DeliveryQuery(contentType: "hero")
        let fresh = try await client.entries(query)
        clock.advance(milliseconds: 90_000)
        services.answerAlways(.failure(.network(-1009)))
        let old = try await client.entries(query)
        guard case .cache(let age, let error) = old.source else {
            Issue.record("it is not from the cache")
            return
        }
        #expect(age == 90_000 && error.kind == .network && old.entries == fresh.entries && old.time == fresh.time)
        // Another query has none, and a refusal is not answered from the cache.
        await #expect(throws: DeliveryError.self) { try await client.entries(DeliveryQuery(contentType: "other")) }
        services.answerAlways(refusal(401, "AccessTokenInvalid"))
        await #expect(throws: DeliveryError.self) { try await client.entries(query) }
        services.answerAlways(.status(503))
        #expect(try await client.entries(query).entries.count == 1)
    }

    @Test func `a file cache survives the end of the process, and is bounded`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("delivery-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let entries = CachedEntries(
            reply: DeliveryReply(items: [TestEntries.hero], includes: [ContentEntry(["sys": ["id": "x"]])]),
            time: EventTime(milliseconds: 7))
        FileDeliveryCache(folder: folder).keep(entries, for: "a")
        let cache = FileDeliveryCache(folder: folder, maximumQueries: 2)
        #expect(cache.entries(for: "a")?.reply.items == [TestEntries.hero])
        #expect(cache.entries(for: "a")?.reply.includes.count == 1 && cache.entries(for: "a")?.time == entries.time)
        #expect(cache.entries(for: "b") == nil)
        for key in ["b", "c", "d"] { cache.keep(entries, for: key) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
        let small = FileDeliveryCache(folder: folder, maximumBytes: 10)
        small.keep(entries, for: "e")
        #expect(small.entries(for: "e") == nil && cache.entries(for: "e") == nil)
        // A file that is damaged is missing.
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try Data("d\n{".utf8).write(to: folder.appendingPathComponent(file))
        }
        #expect(cache.entries(for: "d") == nil)
    }

    @Test func `a memory cache keeps the newest queries`() {
        let cache = MemoryDeliveryCache(maximumQueries: 2)
        let entries = CachedEntries(reply: DeliveryReply(items: []), time: EventTime(milliseconds: 1))
        for key in ["a", "b", "a", "c"] { cache.keep(entries, for: key) }
        #expect(cache.entries(for: "a") != nil && cache.entries(for: "b") == nil && cache.entries(for: "c") != nil)
    }

    @Test func `all locales at once, and a wrong configuration, are errors of the app`() async throws {
        for query in [DeliveryQuery(locale: "*"), DeliveryQuery(parameters: ["locale": "*"])] {
            let error = await #expect(throws: DeliveryError.self) { try await client().entries(query) }
            #expect(error?.kind == .configuration)
        }
        for change in [{ $0.space = "" }, { $0.baseURL = "http://example.com" }]
            as [(inout DeliveryConfiguration) -> Void]
        {
            let error = await #expect(throws: DeliveryError.self) { try await client(change).entries(DeliveryQuery()) }
            #expect(error?.kind == .configuration)
        }
        #expect(services.requests.isEmpty)
    }

    @Test func `one entry, and the definitions of a panel`() async throws {
        services.script(page(["a"], total: 1), page([], total: 0))
        #expect(try await client().entry("a").id == "a")
        #expect(query(of: try #require(services.requests.first))["sys.id"] == "a")
        let error = await #expect(throws: DeliveryError.self) { try await client().entry("b") }
        #expect(error?.kind == .notFound)
        let audience = TestEntries.entry("x", type: "nt_audience", ["nt_audience_id": "aud-1"])
        let experience = TestEntries.experience("exp-1", variants: [], extra: ["nt_audience": TestEntries.link("x")])
        func reply(_ items: JSONValue, _ includes: JSONValue = []) -> TestServices.Answer {
            let value: JSONValue = ["total": 1, "items": items, "includes": ["Entry": includes]]
            return .status(200, body: String(decoding: value.compactBytes, as: UTF8.self))
        }
        services.script(reply([audience]), reply([experience], [audience]))
        let definitions = try await client().previewDefinitions()
        #expect(definitions.audiences.count == 1 && definitions.experiences.first?.audience?.audienceID == "aud-1")
    }
}
