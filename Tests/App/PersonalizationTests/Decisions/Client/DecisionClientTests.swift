import EventDelivery
import Foundation
import PushDispatch
import TestSupport
import Testing

@testable import Personalization

/// A client with a service, a clock and a store that a test controls.
final class DecisionWorld: Sendable {
    let service = DecisionTestService()
    let clock = DecisionTestClock()
    let log = DecisionEventLog()
    let client: DecisionClient

    init(
        store: any DecisionStore = MemoryDecisionStore(),
        _ change: (inout DecisionConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = DecisionConfiguration(endpoint: try #require(URL(string: "https://tenant.example.com")))
        change(&configuration)
        client = DecisionClient(
            configuration, transport: service, store: store, clock: clock,
            wallClock: { [clock] in EventTime(milliseconds: clock.now().milliseconds + 1_000_000) },
            onEvent: { [log] in log.add($0) })
    }

    /// Somebody who has opted in.
    func begin(_ identity: IdentitySnapshot = .kim) async {
        await client.identityChanged(to: identity)
        await client.consentChanged(to: .optedIn)
    }

    /// The failure of a fetch, if it fails.
    func failure(_ points: [String]) async -> DecisionError? {
        do throws(DecisionError) {
            _ = try await client.fetchDecisions(points)
            return nil
        } catch { return error }
    }

    /// Waits until each request has been answered and its reply is in the cache, or it has failed.
    func settled() async { #expect(await eventually { await client.requestsInProgress == 0 }) }
}

@Suite(.timeLimit(.minutes(5)))
struct DecisionClientTests {
    @Test func `points of several graphs are asked for in a request each, and all are answered`() async throws {
        let world = try DecisionWorld { $0.graphs = ["b": "accounts"] }
        await world.begin()
        let fetched = try await world.client.fetchDecisions(["a", "b", "c", "a"])
        #expect(fetched.decisions.map(\.point) == ["a", "c", "b"])
        #expect(fetched.parts.map(\.graph) == ["main", "accounts"])
        #expect(fetched.requestIDs == ["r1", "r1"] && fetched.source == .service && fetched.failure == nil)
        #expect(fetched["b"]?.personalizationID == "1-b")
        #expect(fetched.credits == 3)
        #expect(await world.client.credits == 3)
        let asked = world.service.requests.map { $0["personalizationPoints"] }
        #expect(Set(asked) == [[["name": "a"], ["name": "c"]], [["name": "b"]]])
    }

    @Test func `nothing is fetched before identity and consent are known`() async throws {
        let world = try DecisionWorld { $0.defaults = ["a": DefaultContent(attributes: ["title": "Hello"])] }
        #expect(await world.failure(["a"])?.code == .notInitialized)
        await world.client.identityChanged(to: .kim)
        #expect(await world.failure(["a"])?.code == .consent)
        await world.client.consentChanged(to: .optedOut)
        #expect(await world.failure(["a"])?.code == .consent)
        #expect(await world.client.cachedDecisions(["a"])["a"]?.attributes["title"] == "Hello")
        #expect(world.service.requests.isEmpty)
    }

    @Test func `without an answer the last good reply is given, with its age`() async throws {
        let world = try DecisionWorld()
        await world.begin()
        _ = try await world.client.fetchDecisions(["a", "b"])
        await world.clock.advance(5_000)
        world.service.answer { _ in .failure(DecisionError(.network, "no connection")) }
        let fetched = try await world.client.fetchDecisions(["b", "a"])
        #expect(fetched.source == .cache && fetched.failure?.code == .network)
        #expect(fetched.parts[0].ageMilliseconds == 5_000)
        #expect(fetched.receivedAt == EventTime(milliseconds: 1_001_000))
        // The ids for impressions are those of the first decision, in the order of this fetch.
        #expect(fetched.decisions.map(\.personalizationID) == ["1-b", "1-a"])
        #expect(fetched["a"]?.items[0].contentID == "1-a:0" && fetched["a"]?.requestID == "r1")
        // Other points and another context have no cached reply.
        #expect(await world.failure(["a"])?.code == .network)
        let other = DecisionContext(attributes: ["category": "Pots"])
        await #expect(throws: DecisionError.self) { try await world.client.fetchDecisions(["a", "b"], context: other) }
        var traced = DecisionContext()
        traced.correlationID = "trace"
        #expect(try await world.client.fetchDecisions(["a", "b"], context: traced).source == .cache)
    }

    @Test func `without a cached reply default content is given`() async throws {
        let world = try DecisionWorld { $0.defaults = ["a": DefaultContent(items: [["name": "own"]])] }
        await world.begin()
        await world.client.networkChanged(isOnline: false)
        let fetched = try await world.client.fetchDecisions(["a", "b"])
        #expect(fetched.source == .default && fetched.failure == .offline && fetched.credits == 0)
        #expect(fetched["a"]?.isDefault == true && fetched["a"]?.items[0]["name"] == "own" && fetched["b"] == nil)
        #expect(world.service.requests.isEmpty)
        // A point that the service has no decision for shows it too.
        await world.client.networkChanged(isOnline: true)
        world.service.answer { _ in .success(.test(#"{"requestId":"r","personalizations":[]}"#)) }
        let empty = try await world.client.fetchDecisions(["a", "b"])
        #expect(empty.source == .service && empty["a"]?.isDefault == true)
    }

    @Test func `a reply after the timeout only refreshes the cache`() async throws {
        let world = try DecisionWorld()
        await world.begin()
        world.service.hold()
        async let first = world.failure(["a"])
        await world.service.waitForRequests(1)
        await world.clock.advance(9_999)
        #expect(await world.client.requestsInProgress == 1)
        await world.clock.advance(1)
        #expect(await first?.code == .timeout)
        #expect(await world.client.cachedDecisions(["a"]).source == .default)
        world.service.release()
        await world.log.wait(for: .answered(points: 1, decisions: 1, isLate: true))
        let cached = await world.client.cachedDecisions(["a"])
        #expect(cached.source == .cache && cached["a"]?.personalizationID == "1-a")
    }

    @Test func `a request without any answer is given up`() async throws {
        let world = try DecisionWorld { $0.requestMilliseconds = 30_000 }
        await world.begin()
        world.service.hold()
        async let first = world.failure(["a"])
        await world.service.waitForRequests(1)
        await world.clock.advance(30_000)
        #expect(await first?.code == .timeout)
        #expect(await world.client.requestsInProgress == 0)
        world.service.release()
        await world.log.wait(for: .discarded)
        #expect(await world.client.cachedDecisions(["a"]).source == .default)
    }

    @Test func `fetches of the same thing share one request, and one can be cancelled alone`() async throws {
        let world = try DecisionWorld()
        await world.begin()
        world.service.hold()
        let first = Task { try await world.client.fetchDecisions(["a", "b"]) }
        await world.service.waitForRequests(1)
        let second = Task { try await world.client.fetchDecisions(["b", "a"]) }
        let third = Task { try await world.client.fetchDecisions(["c"]) }
        await world.service.waitForRequests(2)
        #expect(await eventually { await world.client.core.calls.count == 3 })
        first.cancel()
        await #expect(throws: DecisionError.cancelled) { try await first.value }
        #expect(await world.client.requestsInProgress == 2)
        third.cancel()
        await #expect(throws: DecisionError.cancelled) { try await third.value }
        // Nobody else wants what the third asked for.
        #expect(await world.client.requestsInProgress == 1)
        world.service.release()
        let fetched = try await second.value
        #expect(fetched.decisions.map(\.point) == ["b", "a"] && fetched.credits == 0)
        #expect(await world.client.credits == 3)
    }

    @Test func `a reply for somebody who has logged out is neither shown nor kept`() async throws {
        let store = MemoryDecisionStore()
        let world = try DecisionWorld(store: store)
        await world.begin(.kim)
        _ = try await world.client.fetchDecisions(["seen"])
        world.service.hold()
        async let late = world.failure(["a"])
        await world.service.waitForRequests(2)
        await world.client.identityChanged(to: .lee)
        #expect(await late?.code == .userChanged)
        world.service.release()
        await world.log.wait(for: .discarded)
        #expect(await world.client.core.cache.count == 0)
        #expect(store.load(maximumBytes: .max) == nil)
        await world.client.networkChanged(isOnline: false)
        #expect(await world.failure(["seen"]) == .offline)
        #expect(world.log.all.contains(.erased(replies: 1)))
    }

    @Test func `opting out ends fetches and empties the cache`() async throws {
        let store = MemoryDecisionStore()
        let world = try DecisionWorld(store: store)
        await world.begin()
        _ = try await world.client.fetchDecisions(["seen"])
        world.service.hold()
        async let waiting = world.failure(["a"])
        await world.service.waitForRequests(2)
        await world.client.consentChanged(to: .optedOut)
        #expect(await waiting == .consent)
        #expect(store.load(maximumBytes: .max) == nil)
        world.service.release()
        await world.client.consentChanged(to: .optedIn)
        #expect(await world.client.cachedDecisions(["seen"]).source == .default)
    }

    @Test(
        arguments: [
            (503, nil, 30_000), (429, nil, 60_000), (503, "7", 7_000), (429, "Sun, 06 Nov 1994 08:49:40 GMT", 3_000),
            (503, "99999999", 3_600_000), (429, "soon", 60_000),
        ] as [(Int, String?, Int64)])
    func `429 and 503 pause`(_ status: Int, _ retryAfter: String?, _ pause: Int64) async throws {
        let world = try DecisionWorld()
        await world.begin()
        world.service.answer { _ in
            var reply = DecisionHTTPReply.test(#"{"diagnostics":[{"code":406,"description":"x"}]}"#, status: status)
            reply.headers["retry-after"] = retryAfter
            reply.headers["date"] = "Sun, 06 Nov 1994 08:49:37 GMT"
            return .success(reply)
        }
        let refused = await world.failure(["a"])
        #expect(refused?.code == .network && refused?.status == status && refused?.retryAfterMilliseconds == pause)
        #expect(refused?.diagnostics.map(\.code) == [406])
        world.service.answer { .success(.test($0)) }
        await world.clock.advance(pause - 1)
        #expect(await world.failure(["a"])?.retryAfterMilliseconds == 1)
        #expect(world.service.requests.count == 1)
        await world.clock.advance(1)
        #expect(await world.failure(["a"]) == nil)
    }

    @Test(arguments: [
        (400, "requestInvalid"), (401, "requestInvalid"), (404, "requestInvalid"), (302, "responseInvalid"),
        (500, "network"), (200, "responseInvalid"),
    ])
    func `each other refusal has its error and no pause`(_ status: Int, _ code: String) async throws {
        let world = try DecisionWorld()
        await world.begin()
        world.service.answer { _ in
            .success(DecisionHTTPReply(status: status, headers: ["content-type": "text/html"], body: Array("<p>".utf8)))
        }
        let failure = await world.failure(["a"])
        #expect(failure?.code.rawValue == code && failure?.status == status && failure?.retryAfterMilliseconds == nil)
        #expect(failure?.detail.contains("content type") == (status == 200))
        world.service.answer { .success(.test($0)) }
        #expect(await world.failure(["a"]) == nil)
    }

    @Test func `a prefetch fills the cache and saves credits while it is young`() async throws {
        let world = try DecisionWorld()
        await world.begin()
        try await world.client.prefetchDecisions(["a"])
        await world.settled()
        #expect(await world.client.cachedDecisions(["a"]).source == .cache)
        await world.clock.advance(1_000)
        try await world.client.prefetchDecisions(["a"], ifOlderThan: 1_001)
        #expect(await world.client.credits == 1)
        try await world.client.prefetchDecisions(["a"], ifOlderThan: 1_000)
        #expect(await world.client.credits == 2)
        await world.settled()
        await world.client.consentChanged(to: .pending)
        await #expect(throws: DecisionError.consent) { try await world.client.prefetchDecisions(["a"]) }
    }

    @Test func `requests at a time are bounded`() async throws {
        let world = try DecisionWorld { $0.maximumRequests = 2 }
        await world.begin()
        world.service.hold()
        try await world.client.prefetchDecisions(["a"])
        try await world.client.prefetchDecisions(["b"])
        #expect(await world.failure(["c"]) == .busy)
        // The same thing joins.
        try await world.client.prefetchDecisions(["b"])
        #expect(await world.client.requestsInProgress == 2)
        world.service.release()
    }

    @Test func `an address that is not secure is an error`() async throws {
        let world = try DecisionWorld { $0.endpoint = URL(string: "http://tenant.example.com")! }
        await world.begin()
        let failure = await world.failure(["a"])
        #expect(failure?.code == .requestInvalid && failure?.detail.contains("https://") == true)
        #expect(world.service.requests.isEmpty)
    }

    @Test(arguments: [0, -1, .min] as [Int64])
    func `a timeout that is not positive is an error of the request`(_ timeout: Int64) async throws {
        for isConfigured in [true, false] {
            let world = try DecisionWorld { if isConfigured { $0.timeoutMilliseconds = timeout } }
            await world.begin()
            let failure = await #expect(throws: DecisionError.self) {
                try await world.client.fetchDecisions(["a"], timeoutMilliseconds: isConfigured ? nil : timeout)
            }
            #expect(failure?.code == .requestInvalid && failure?.detail.contains("timeout") == true)
            #expect(world.service.requests.isEmpty)
        }
    }
}
