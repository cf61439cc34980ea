import EventDelivery
import Foundation
import PushDispatch
import TestSupport
import Testing

@testable import Personalization

/// The round trips of docs/reference/personalization.md 19.
@Suite(.timeLimit(.minutes(5)))
struct FlowTests {
    private static let push = Push(
        json: Data(
            #"""
            {"aps":{"alert":{"title":"New kettle range"}},"type":"PERSONALIZED","personalization":{
            "points":["notification_landing_recs"],"context":{"category":"Kettles","campaign":"spring-26","anchorId":"7300215"},
            "link":"https://www.example.com/c/kitchen/kettles"}}
            """#.utf8))

    /// What the app's screen has received.
    private actor Screen {
        private(set) var steps: [String] = []
        private(set) var decisions: FetchedDecisions?

        func navigate(_ route: DeepLinkRoute?) { steps.append("navigate \(route?.value ?? "-")") }

        func show(_ result: Result<FetchedDecisions, any Error>) {
            steps.append("show")
            decisions = try? result.get()
        }
    }

    private func handler(_ app: TestApp, _ screen: Screen) async throws -> PushOpenedHandler<DeepLinkRoute> {
        try await app.client.pushOpenedHandler(
            store: MemoryDecisionStore(), navigate: { _, route in await screen.navigate(route) },
            show: { _, result in await screen.show(result) })
    }

    @Test func `1: a push is opened, and all that follows is linked to one decision`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedIn)
        let screen = Screen()
        let handler = try await handler(app, screen)
        let opening = await handler.opened(Self.push, requestID: "n-1")
        #expect(opening?.event == .queued && opening?.route == DeepLinkRoute(.category, "kitchen/kettles"))
        #expect(await eventually { await screen.steps.contains("show") })
        #expect(await screen.steps == ["navigate kitchen/kettles", "show"])
        let request = try #require(app.decisions.requests.first?.object?["context"]?.object)
        #expect(
            request["category"] == "Kettles" && request["campaign"] == "spring-26" && request["anchorId"] == "7300215")

        let decision = try #require(await screen.decisions?["notification_landing_recs"])
        let content = try #require(decision.engagement(withItem: 0))
        #expect(content.item?.id == "7300215")
        #expect(try await app.client.appeared(content))
        #expect(try await !app.client.appeared(content))
        let route = try #require(app.configuration.links.outcome(ofItem: { decision.items[0][$0] })?.route)
        #expect(route == DeepLinkRoute(.product, "7300215"))
        try await app.client.followed(route, from: content)
        await app.flush()
        #expect(
            app.service.kinds == [
                "Opt In", "Push Notification Open", "catalog-object-view-start", "catalog-object-click",
            ])
        let id = try #require(decision.personalizationID)
        #expect(app.decisions.engagement(with: id) == ["catalog-object-view-start", "catalog-object-click"])
        #expect(app.service.events[1]["campaign"] == "spring-26")

        // The callback comes again, also in the next process: no second event.
        #expect(await handler.opened(Self.push, requestID: "n-1")?.event == .repeated)
        app.restart()
        let next = try await self.handler(app, Screen())
        _ = await next.opened(Self.push, requestID: "n-1")
        await app.flush()
        #expect(app.service.kinds.filter { $0 == "Push Notification Open" }.count == 1)
    }

    @Test func `a notification counts once, also after a log-out that changes the id of the device`() async throws {
        let app = try TestApp { $0.deviceIDAfterLogOut = .new }
        try await app.client.setConsent(.optedIn)
        try await app.client.logIn(KnownPerson(userID: "u-1"))
        _ = try await handler(app, Screen()).opened(Self.push, requestID: "n-1")
        try await app.client.logOut()
        // The process ends before its list of opened notifications is stored.
        for _ in 0..<2 {
            app.restart()
            _ = try await handler(app, Screen()).opened(Self.push, requestID: "n-1")
        }
        await app.flush()
        #expect(app.service.kinds.filter { $0 == "Push Notification Open" }.count == 1)
    }

    @Test func `an open event is kept while the queue cannot be written`() async throws {
        let app = try TestApp()
        let store = FullEventStore()
        app.events = store
        app.restart()
        try await app.client.setConsent(.optedIn)
        await app.flush()
        let handler = try await handler(app, Screen())
        store.allow(0)
        for _ in 0..<2 {
            guard case .failed = await handler.opened(Self.push, requestID: "n-1")?.event else {
                Issue.record("the queue cannot be written")
                return
            }
        }
        store.allow(.max)
        app.restart()
        await app.flush()
        #expect(app.service.kinds == ["Opt In", "Push Notification Open"])
        #expect(app.service.repeats == 0)
    }

    @Test func `2: offline there is cached or default content, and the events arrive once, in order, with their times`()
        async throws
    {
        let app = try TestApp()
        app.defaults = ["home": DefaultContent(items: [["title": "Hello"]])]
        app.restart()
        try await app.client.setConsent(.optedIn)
        let context = DecisionContext(attributes: ["category": "Kettles"])
        #expect(try await app.client.fetchDecisions(["home"], context: context).source == .service)
        await app.flush()
        app.decisions.setOnline(false)
        await app.client.networkChanged(isOnline: false)
        app.clock.advance(seconds: 60)

        let cached = try await app.client.fetchDecisions(["home"], context: context)
        #expect(cached.source == .cache && cached.receivedAt != nil)
        #expect(try await app.client.fetchDecisions(["home"]).source == .default)
        #expect(try await app.client.fetchDecisions(["home"])["home"]?.engagement == nil)
        let decision = try #require(cached["home"])
        for index in 0..<2 {
            try await app.client.appeared(try #require(decision.engagement(withItem: index)))
            app.clock.advance(seconds: 1)
        }
        try await app.client.tapped(try #require(decision.engagement(withItem: 1)))
        let before = app.service.events.count
        app.clock.advance(seconds: 3_600)
        app.restart()
        app.decisions.setOnline(true)
        await app.client.networkChanged(isOnline: true)
        await app.flush()
        let events = app.service.events.dropFirst(before)
        #expect(
            events.map(\.kind) == ["catalog-object-view-start", "catalog-object-view-start", "catalog-object-click"])
        #expect(events.map { $0["id"] } == ["7300215", "7300216", "7300216"])
        #expect(events.map { $0["dateTime"].map { String($0.suffix(7)) } } == ["30.000Z", "31.000Z", "32.000Z"])
        #expect(events.allSatisfy { $0["personalizationId"] == decision.personalizationID })
        #expect(app.service.repeats == 0)
    }

    @Test func `3: after a lost answer the events are sent again and counted once`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedIn)
        await app.flush()
        app.service.loseAnswers(1)
        try await app.client.appeared(TestApp.kettle)
        #expect(await app.flush().end == .failed)
        app.clock.advance(seconds: 60)
        await app.flush()
        #expect(app.service.kinds == ["Opt In", "catalog-object-view-start"])
        #expect(app.service.repeats == 1)
        #expect(await app.queue.status(of: "personalization")?.kept == 0)
    }

    @Test func `4: without consent there is no fetch, and a later opt-in repeats none`() async throws {
        let app = try TestApp()
        try await app.client.appeared(TestApp.kettle)
        for answer in [ConsentState.pending, .optedOut] {
            try await app.client.setConsent(answer)
            let error = await #expect(throws: DecisionError.self) { try await app.client.fetchDecisions(["home"]) }
            #expect(error?.code == .consent)
        }
        try await app.client.setConsent(.optedIn)
        await app.flush()
        #expect(app.decisions.requests.isEmpty)
        #expect(app.service.kinds == ["Opt Out", "Opt In"])
        #expect(app.reports.dropped.map(\.kind) == ["catalog"])
        #expect(try await app.client.fetchDecisions(["home"]).source == .service)
    }

    @Test func `5: the decision after a log-in uses the joined history, and a log-out leaves nothing behind`()
        async throws
    {
        let app = try TestApp()
        app.decisions.history = ["u-1001": ["9"]]
        try await app.client.setConsent(.optedIn)
        try await app.client.track(.catalog(id: "7300215"))
        await app.flush()
        func skus() async throws -> [String?] {
            try await app.client.fetchDecisions(["home"])["home"]?.items.map { $0["ssot__ProductSKU__c"] } ?? []
        }
        #expect(try await skus() == ["7300215"])
        // The identity event goes first, although nobody has flushed the queue.
        try await app.client.logIn(KnownPerson(userID: "u-1001", email: "kim@example.com"))
        #expect(try await skus() == ["9", "7300215"])
        #expect(app.service.kinds.suffix(2) == ["identity", "contactPointEmail"])

        app.decisions.setOnline(false)
        #expect(try await app.client.fetchDecisions(["home"]).source == .cache)
        try await app.client.logOut()
        let error = await #expect(throws: DecisionError.self) { try await app.client.fetchDecisions(["home"]) }
        #expect(error?.code == .network)
        await #expect(throws: PersonalizationError.self) { try await app.client.logIn(KnownPerson()) }
        try await app.client.logIn(KnownPerson(userID: "u-1001"))
        await #expect(throws: DecisionError.self) { try await app.client.fetchDecisions(["home"]) }
    }

    /// Collects the pushes that another handler of the app gets.
    private struct Others: PushReceiver {
        final class Log: @unchecked Sendable {
            private let lock = NSLock()
            private var types: [String] = []

            func add(_ type: String) { lock.withLock { types.append(type) } }

            var all: [String] { lock.withLock { types } }
        }

        let log: Log

        func handle(
            _ push: Push, from entryPoint: EntryPoint, deadline: DispatchMoment?,
            completion: @escaping @Sendable (PushResult) -> Void
        ) {
            log.add(push["type"]?.string ?? "?")
            completion(.newData)
        }

        func isShownInForeground(_ push: Push) -> Bool { false }

        func target(of push: Push) -> PushTarget { .message(type: "other") }
    }

    @Test func `8: record pushes and personalization pushes do not see each other`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedIn)
        let log = Others.Log()
        let receiver = PersonalizedPushReceiver(Others(log: log), rules: PushOpenedRules())
        let record = Push(
            json: Data(#"{"aps":{"content-available":1},"type":"RECORD_CHANGED","records":["001"]}"#.utf8))
        for push in [record, Self.push] {
            let result = Received<PushResult>()
            receiver.handle(push, from: .background, deadline: nil) { result.add($0) }
            #expect(await result.first() != nil)
        }
        #expect(log.all == ["RECORD_CHANGED"])
        let screen = Screen()
        let handler = try await handler(app, screen)
        #expect(await handler.opened(record, requestID: "n-2") == nil)
        #expect(await screen.steps.isEmpty)
        await app.flush()
        #expect(app.service.kinds == ["Opt In"])
    }

    @Test func `an open that is refused before the answer counts when it is repeated after the opt-in`() async throws {
        let app = try TestApp { $0.delivery.whilePending = .refuse }
        let handler = try await handler(app, Screen())
        guard case .failed? = await handler.opened(Self.push, requestID: "n-1")?.event else {
            Issue.record("the open is refused without an answer")
            return
        }
        try await app.client.setConsent(.optedIn)
        #expect(await handler.opened(Self.push, requestID: "n-1")?.event == .queued)
        await app.flush()
        #expect(app.service.kinds == ["Opt In", "Push Notification Open"])
    }
}
