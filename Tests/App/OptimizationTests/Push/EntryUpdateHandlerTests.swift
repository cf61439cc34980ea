import EventDelivery
import Foundation
import PushDispatch
import Testing

@testable import Optimization

@MainActor
struct EntryUpdateHandlerTests {
    private let app = TestApp()
    private let services = TestServices()
    private let cache = MemoryDeliveryCache()
    private let events = Recorder()

    /// `@unchecked Sendable` because the lock protects everything.
    private final class Recorder: @unchecked Sendable {
        private let lock = NSLock()
        private var recorded: [EntryUpdateEvent] = []
        func add(_ event: EntryUpdateEvent) { lock.withLock { recorded.append(event) } }
        var all: [EntryUpdateEvent] { lock.withLock { recorded } }
    }

    private var delivery: DeliveryClient {
        DeliveryClient(
            DeliveryConfiguration(space: "space-1", accessToken: "t"), transport: services, cache: cache,
            clock: app.clock, wallClock: { [clock = app.clock] in clock.time() })
    }

    private func handler(_ rules: EntryUpdateRules = EntryUpdateRules()) -> EntryUpdateHandler {
        EntryUpdateHandler(app.client, delivery: delivery, rules: rules, onEvent: { [events] in events.add($0) })
    }

    private func entry(_ id: String, title: String, revision: Int64, locale: String = "en-US") -> JSONValue {
        [
            "sys": [
                "id": .string(id), "type": "Entry", "revision": .integer(revision), "locale": .string(locale),
                "contentType": ["sys": ["id": "hero"]],
            ], "fields": ["title": .string(title)],
        ]
    }

    private func reply(_ items: JSONValue..., includes: [JSONValue] = []) -> TestServices.Answer {
        let value: JSONValue = [
            "total": .integer(Int64(items.count)), "items": .array(items), "includes": ["Entry": .array(includes)],
        ]
        return .status(200, body: String(decoding: value.compactBytes, as: UTF8.self))
    }

    @Test func `a version that is older than the app's is not used, and is tried again`() async throws {
        let updates = handler()
        services.script(reply(entry("hero", title: "Two", revision: 2)))
        _ = try await delivery.entries(DeliveryQuery(contentType: "hero"))
        services.script(reply(entry("hero", title: "One", revision: 1)))
        #expect(await updates.handle(.entry("hero")).result == .failed)
        #expect(updates.pendingUpdates == [.entry("hero")])
        services.script(reply(entry("hero", title: "Three", revision: 3)))
        #expect(await updates.refreshPending() == .newData)
        #expect(updates.pendingUpdates.isEmpty)
        services.answerAlways(.failure(.network(1)))
        #expect(try await delivery.entries(DeliveryQuery(contentType: "hero"))["hero"]?["title"] == "Three")
    }

    @Test func `a shown version that is newer stays`() async throws {
        try await app.client.initialize(app.configuration)
        let updates = handler()
        let newest = ContentEntry(entry("hero", title: "Two", revision: 2).object ?? [:])
        let model = OptimizedEntryModel(app.client, baseline: newest, isLive: true)
        services.script(reply(entry("hero", title: "One", revision: 1)))
        #expect(await updates.handle(.entry("hero")).result == .failed)
        #expect(model.baseline == newest)
        // Another locale of the same entry is another text.
        services.script(reply(entry("hero", title: "Drei", revision: 3, locale: "de-DE")))
        #expect(await updates.handle(.entry("hero")).result == .newData)
        #expect(model.baseline == newest)
    }

    @Test func `a refusal ends it, and anything that may pass is kept`() async throws {
        let updates = handler()
        services.script(.status(401))
        #expect(await updates.handle(.entry("hero")).result == .failed)
        #expect(updates.pendingUpdates.isEmpty)
        guard case .refused(.entry("hero"), let error)? = events.all.last else {
            Issue.record("the refusal is not reported")
            return
        }
        #expect(error.kind == .accessTokenInvalid)
        for answer in [.status(503), .failure(.timeout), .failure(.cancelled), .status(200, body: "<html>")]
            as [TestServices.Answer]
        {
            services.script(answer)
            #expect(await updates.handle(.entry("hero")).result == .failed)
            #expect(updates.pendingUpdates == [.entry("hero")])
        }
    }

    @Test func `what one process could not fetch the next one does`() async throws {
        services.script(.failure(.network(1)))
        #expect(await handler().handle(.experience("exp-1")).result == .failed)
        app.restart()
        let updates = handler()
        #expect(updates.pendingUpdates == [.experience("exp-1")])
        services.script(reply(), reply())
        try await app.client.initialize(app.configuration)
        await updates.retry?.value
        #expect(updates.pendingUpdates.isEmpty && events.all.last == .notPublished(.experience("exp-1")))
    }

    @Test func `the same name that arrives during its fetch is fetched again`() async throws {
        let updates = handler()
        services.hold()
        services.script(
            reply(entry("hero", title: "One", revision: 1)), reply(entry("hero", title: "Two", revision: 2)))
        let first = Task { await updates.handle(.entry("hero")) }
        await eventually { services.requests.count == 1 }
        let second = Task { await updates.handle(.entry("hero")) }
        await Task.yield()
        services.release()
        #expect(await first.value.result == .newData)
        #expect(await second.value.result == .newData)
        #expect(services.requests.count == 2 && updates.pendingUpdates.isEmpty)
    }

    @Test func `the list is bounded, and what is dropped is reported`() async throws {
        let updates = handler()
        services.answerAlways(.failure(.network(1)))
        for number in 0..<(PendingEntryUpdates.maximumCount + 2) { _ = await updates.handle(.entry("e\(number)")) }
        #expect(updates.pendingUpdates.count == PendingEntryUpdates.maximumCount)
        #expect(updates.pendingUpdates.first == .entry("e2"))
        #expect(events.all.contains(.dropped(.entry("e0"))) && events.all.contains(.dropped(.entry("e1"))))
        // A stored text is untrusted too.
        #expect(PendingEntryUpdates(text: "{").all.isEmpty)
        #expect(PendingEntryUpdates(text: #"[7,{"entryId":"a b"},{"entryId":"a"}]"#).all.map(\.update) == [.entry("a")])
    }

    @Test func `an experience has at most so many entries`() async throws {
        var rules = EntryUpdateRules()
        rules.maximumEntries = 2
        let components = JSONValue.array(
            ["a", "b", "c"].map { ["type": "EntryReplacement", "baseline": ["id": .string($0)], "variants": []] })
        let experience = TestEntries.entry(
            "xp", type: "nt_experience",
            ["nt_experience_id": "exp-1", "nt_name": "x", "nt_config": ["traffic": 1, "components": components]])
        services.script(
            reply(experience), reply(entry("a", title: "A", revision: 1)), .failure(.network(1)))
        let updates = handler(rules)
        // The first has changed, so there is new data, and the second is still to be fetched.
        #expect(await updates.handle(.experience("exp-1")).result == .newData)
        #expect(updates.pendingUpdates == [.experience("exp-1")] && services.requests.count == 3)
        #expect(events.all.contains(.tooManyEntries(.experience("exp-1"))))
        let query = URLComponents(url: services.requests[0].url, resolvingAgainstBaseURL: false)?.queryItems ?? []
        #expect(query.contains(URLQueryItem(name: "fields.nt_experience_id", value: "exp-1")))
    }

    @Test func `a storage that fails keeps the names in memory`() async throws {
        let storage = FailingStorage()
        let broken = TestApp(storage: storage)
        storage.fail(true)
        let updates = EntryUpdateHandler(
            broken.client, delivery: delivery, onEvent: { [events] in events.add($0) })
        services.script(.failure(.network(1)), .failure(.network(1)))
        _ = await updates.handle(.entry("hero"))
        #expect(updates.pendingUpdates == [.entry("hero")] && events.all.first == .notStored)
        storage.fail(false)
        _ = await updates.refreshPending()
        #expect(storage.values["entryUpdates"] == #"[{"entryId":"hero"}]"#)
        services.script(reply())
        #expect(await updates.refreshPending() == .noData)
        #expect(storage.values["entryUpdates"] == nil)
    }

    @Test func `a file cache follows too`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("delivery-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let cache = FileDeliveryCache(folder: folder)
        let entries = CachedEntries(reply: DeliveryReply(items: [TestEntries.hero]), time: EventTime(milliseconds: 7))
        for key in ["a", "b"] { cache.keep(entries, for: key) }
        let empty = CachedEntries(reply: DeliveryReply(items: []), time: EventTime(milliseconds: 7))
        cache.update { key, kept in
            #expect(kept.reply.items == [TestEntries.hero])
            return key == "a" ? empty : nil
        }
        #expect(cache.entries(for: "a")?.reply.items == [] && cache.entries(for: "b")?.reply.items.count == 1)
    }
}
