import EventDelivery
import Foundation
import PushDispatch
import Testing

@testable import Optimization

/// A push, the dispatcher, the library and the simulated services in one process.
@MainActor
struct EntryUpdateFlowTests {
    private let services: SimulatedServices
    private let client: OptimizationClient
    private let delivery: DeliveryClient
    private let updates: EntryUpdateHandler
    private let dispatcher: PushDispatcher
    private let list = DeliveryQuery(contentType: "hero", locale: "en-US")

    init() async throws {
        let services = try SimulatedServices(Self.content(title: "Hello", revision: 1))
        let transport = ClosureOptimizationTransport { request throws(TransportFailure) in
            guard
                let reply = services.answer(
                    request.method, request.url, headers: request.headers, body: request.body ?? [])
            else { throw TransportFailure.network(-1009) }
            return OptimizationHTTPReply(status: reply.status, body: reply.body)
        }
        self.services = services
        client = OptimizationClient(storage: MemoryOptimizationStorage(), transport: transport)
        delivery = DeliveryClient(
            DeliveryConfiguration(space: "space-1", accessToken: "token-1"), transport: transport,
            cache: MemoryDeliveryCache())
        updates = EntryUpdateHandler(client, delivery: delivery, rules: EntryUpdateRules(locale: "en-US"))
        dispatcher = PushDispatcher(routes: PushRoutes([updates.route]), pending: MemoryPendingStore())
        try await client.initialize(OptimizationConfiguration(clientID: "client-1"))
        await client.consent(true)
        try await client.identify(userID: "u-1")
        try await client.flush()
    }

    private static func content(title: String, variant: String = "Welcome back", revision: Int64) -> JSONValue {
        func entry(_ id: String, _ type: String, _ fields: JSONValue) -> JSONValue {
            [
                "sys": [
                    "id": .string(id), "type": "Entry", "revision": .integer(revision),
                    "contentType": ["sys": ["type": "Link", "linkType": "ContentType", "id": .string(type)]],
                ], "fields": fields,
            ]
        }
        return [
            entry("hero", "hero", ["title": .string(title), "nt_experiences": [TestEntries.link("xp-1")]]),
            entry("hero-b", "hero", ["title": .string(variant)]),
            entry("other", "hero", ["title": "Other"]),
            entry(
                "xp-1", "nt_experience",
                [
                    "nt_name": "All", "nt_type": "nt_personalization", "nt_experience_id": "exp-1",
                    "nt_config": [
                        "traffic": 1, "distribution": [0, 1], "sticky": false,
                        "components": [
                            [
                                "type": "EntryReplacement", "baseline": ["id": "hero"],
                                "variants": [["id": "hero-b"]],
                            ]
                        ],
                    ], "nt_variants": [TestEntries.link("hero-b")],
                ]),
        ]
    }

    private func shown(isLive: Bool) async throws -> OptimizedEntryModel {
        let entry = try #require(try await delivery.entries(list)["hero"])
        return OptimizedEntryModel(client, baseline: entry, isLive: isLive)
    }

    private func push(_ text: String, from entryPoint: EntryPoint = .background) async -> PushResult {
        await dispatcher.handle(Push(json: Data(text.utf8)), from: entryPoint)
    }

    @Test(arguments: [
        (#"{"aps":{"content-available":1},"type":"ENTRY_UPDATE","entryId":"hero"}"#, EntryPoint.background),
        (#"{"aps":{"alert":"New"},"type":"ENTRY_UPDATE","entryId":"hero","locale":"en-US"}"#, .tap),
        (#"{"aps":{"content-available":1},"type":"ENTRY_UPDATE","experienceId":"exp-1"}"#, .background),
    ])
    func `a push updates what is live and what is offline, and nothing that is locked`(
        text: String, entryPoint: EntryPoint
    ) async throws {
        let live = try await shown(isLive: true)
        let locked = try await shown(isLive: false)
        #expect(live.resolution.entry["title"] == "Welcome back" && live.resolution.isVariant)
        try services.publish(Self.content(title: "Hello", variant: "Good to see you", revision: 2))
        var brought = updates.updates().makeAsyncIterator()
        #expect(await push(text, from: entryPoint) == .newData)
        #expect(live.resolution.entry["title"] == "Good to see you")
        #expect(locked.resolution.entry["title"] == "Welcome back")
        #expect(await brought.next()?.id == "hero" && updates.pendingUpdates.isEmpty)
        // Offline the next opening shows it, from the list's reply too.
        services.setOnline(false)
        #expect(try await shown(isLive: false).resolution.entry["title"] == "Good to see you")
        #expect(try await delivery.entries(list).entries.count == 3)
        // A locked entry that becomes live takes it.
        locked.isLive = true
        #expect(locked.resolution.entry["title"] == "Good to see you")
    }

    @Test func `what has not changed is no new data`() async throws {
        let live = try await shown(isLive: true)
        let before = live.resolution
        let text = #"{"aps":{"content-available":1},"type":"ENTRY_UPDATE","entryId":"hero"}"#
        #expect(await push(text) == .noData)
        #expect(live.resolution == before && services.entryRequestCount == 2)
    }

    @Test func `an entry that is not published, and another locale, are no data`() async throws {
        #expect(await push(#"{"type":"ENTRY_UPDATE","entryId":"gone"}"#) == .noData)
        #expect(await push(#"{"type":"ENTRY_UPDATE","experienceId":"gone"}"#) == .noData)
        #expect(services.entryRequestCount == 2 && updates.pendingUpdates.isEmpty)
        #expect(await push(#"{"type":"ENTRY_UPDATE","entryId":"hero","locale":"de-DE"}"#) == .noData)
        #expect(await push(#"{"type":"ENTRY_UPDATE","entryId":"a b"}"#) == .noData)
        #expect(await push(#"{"type":"ENTRY_UPDATE"}"#) == .noData)
        #expect(services.entryRequestCount == 2)
    }

    @Test func `offline the name is kept, and fetched when the app is in front again`() async throws {
        let live = try await shown(isLive: true)
        try services.publish(Self.content(title: "Hello", variant: "Good to see you", revision: 2))
        services.setOnline(false)
        #expect(await push(#"{"type":"ENTRY_UPDATE","entryId":"hero"}"#) == .failed)
        #expect(updates.pendingUpdates == [.entry("hero")] && live.resolution.entry["title"] == "Welcome back")
        client.didBecomeActive()
        await updates.retry?.value
        #expect(updates.pendingUpdates == [.entry("hero")])
        services.setOnline(true)
        client.didBecomeActive()
        await updates.retry?.value
        #expect(updates.pendingUpdates.isEmpty && live.resolution.entry["title"] == "Good to see you")
        #expect(await updates.refreshPending() == .noData)
    }
}
