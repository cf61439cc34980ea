import EventDelivery
import Foundation
import PushDispatch
import Testing

@testable import Personalization

struct EngagementTests {
    @Test(arguments: [
        (
            NamingProfile.reference, TestApp.kettle, "catalog",
            ["catalog-object-view-start", "catalog-object-click", "catalog-object-dismiss"]
        ),
        (
            .product, TestApp.kettle, "catalog",
            ["catalog-object-view-start", "catalog-object-click", "catalog-object-dismiss"]
        ),
        (
            .reference, TestApp.banner, "userEngagement",
            ["personalization-view", "personalization-click", "personalization-dismiss"]
        ),
        (
            .other, TestApp.kettle, "userEngagement",
            ["personalization-view", "personalization-click", "personalization-dismiss"]
        ),
        (
            .guide, TestApp.kettle, "engagement",
            ["View Product Recommendation", "Click Product Recommendation", "Dismiss Product Recommendation"]
        ),
    ])
    func `each naming profile has its names`(
        _ naming: NamingProfile, _ content: EngagementContent, _ type: String, _ names: [String]
    ) async throws {
        let app = try TestApp { $0.naming = naming }
        try await app.client.setConsent(.optedIn)
        try await app.client.appeared(content)
        try await app.client.tapped(content)
        try await app.client.dismissed(content)
        await app.flush()
        let events = app.service.events.dropFirst()
        #expect(events.map { $0["interactionName"] } == names)
        #expect(events.allSatisfy { $0["eventType"] == type && $0["category"] == "Engagement" })
        #expect(events.allSatisfy { $0["personalizationId"] == content.personalizationID })
        #expect(events.allSatisfy { $0["personalizationContentId"] == content.contentID })
        #expect(events.allSatisfy { ($0["id"] == "7300215" && $0["type"] == "Product") == (type == "catalog") })
    }

    @Test(arguments: [
        EngagementContent(personalizationID: "", contentID: "a:0"),
        EngagementContent(personalizationID: "a", contentID: ""),
    ])
    func `an event without its ids is an error at the caller and marks nothing`(_ content: EngagementContent)
        async throws
    {
        let app = try TestApp()
        for call in [0, 1] {
            let error = await #expect(throws: PersonalizationError.self) {
                if call == 0 { try await app.client.appeared(content) } else { try await app.client.tapped(content) }
            }
            #expect(error?.code == .missingID)
        }
        #expect(await app.queue.status(of: "personalization")?.kept == 0)
    }

    @Test func `a dismissal needs only the decision, and a product needs its item`() async throws {
        let app = try TestApp { $0.naming = .product }
        let error = await #expect(throws: PersonalizationError.self) { try await app.client.tapped(TestApp.banner) }
        #expect(error?.code == .missingID)
        let other = try TestApp()
        try await other.client.dismissed(EngagementContent(personalizationID: "a", contentID: ""))
        #expect(await other.queue.status(of: "personalization")?.kept == 1)
    }

    @Test func `an impression counts once in a session, a click each time`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedIn)
        #expect(try await app.client.appeared(TestApp.kettle))
        #expect(try await !app.client.appeared(TestApp.kettle))
        #expect(try await app.client.appeared(TestApp.banner))
        try await app.client.tapped(TestApp.kettle)
        try await app.client.tapped(TestApp.kettle)
        await app.flush()
        #expect(
            app.service.kinds == [
                "Opt In", "catalog-object-view-start", "personalization-view", "catalog-object-click",
                "catalog-object-click",
            ])
    }

    @Test func `many appearances at the same time are one impression`() async throws {
        let app = try TestApp()
        let client = app.client
        let count = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { try await client.appeared(TestApp.kettle) } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 1)
        #expect(await app.queue.status(of: "personalization")?.kept == 1)
    }

    @Test func `an impression that was refused is not marked`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedOut)
        let error = await #expect(throws: PersonalizationError.self) { try await app.client.appeared(TestApp.kettle) }
        #expect(error?.code == .consent)
        try await app.client.setConsent(.optedIn)
        #expect(try await app.client.appeared(TestApp.kettle))
    }

    @Test func `an impression that could not be stored is not marked`() async throws {
        let app = try TestApp()
        let store = FullEventStore()
        app.events = store
        app.restart()
        try await app.client.start()
        store.allow(0)
        let error = await #expect(throws: PersonalizationError.self) { try await app.client.appeared(TestApp.kettle) }
        #expect(error?.code == .storage && error?.store?.code == .full)
        store.allow(.max)
        #expect(try await app.client.appeared(TestApp.kettle))
    }

    @Test func `more impressions than are remembered are an error, not repeats`() async throws {
        let app = try TestApp { $0.maximumImpressions = 2 }
        for name in ["a", "b"] { #expect(try await app.client.appeared(EngagementContent(fixed: name))) }
        let error = await #expect(throws: PersonalizationError.self) {
            try await app.client.appeared(EngagementContent(fixed: "c"))
        }
        #expect(error?.code == .tooManyImpressions)
        #expect(try await !app.client.appeared(EngagementContent(fixed: "a")))
    }

    @Test func `the ids of impressions are bounded in bytes too, also those of an earlier process`() {
        let ids = (0..<3_000).map { String(repeating: "x", count: 250) + "\($0)" }
        let set = ImpressionSet(maximum: .max, ids)
        let bytes = set.contents.reduce(0) { $0 + $1.utf8.count }
        #expect(bytes <= ImpressionSet.maximumBytes && bytes > ImpressionSet.maximumBytes - 300)
        #expect(set.check("x" + ids[0]) == .isFull && set.check(ids[0]) == .isKnown)
    }

    @Test func `an order that is too large is refused whole`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedIn)
        let text = AttributeValue.text(String(repeating: "x", count: 4_000))
        let attributes = Dictionary(uniqueKeysWithValues: (0..<99).map { ("a\($0)", text) })
        let item = LineItem(id: "1", quantity: 1, price: 1, currency: "EUR")
        let error = await #expect(throws: PersonalizationError.self) {
            try await app.client.track(.cart(.add, items: [item], attributes: attributes))
        }
        #expect(error?.code == .notKept)
        await app.flush()
        #expect(app.service.kinds == ["Opt In"])
    }

    @Test func `a new session sees everything for the first time`() async throws {
        let app = try TestApp()
        try await app.client.didBecomeActive()
        try await app.client.appeared(TestApp.kettle)
        let first = try await app.client.sessionID()
        await app.client.didEnterBackground(within: 0)
        app.clock.advance(seconds: 599)
        try await app.client.didBecomeActive()
        #expect(try await !app.client.appeared(TestApp.kettle))
        await app.client.didEnterBackground(within: 0)
        app.clock.advance(seconds: 600)
        try await app.client.didBecomeActive()
        #expect(try await app.client.appeared(TestApp.kettle))
        #expect(try await app.client.sessionID() != first)
    }

    @Test func `the next process continues a session that went to the background`() async throws {
        let app = try TestApp()
        try await app.client.didBecomeActive()
        try await app.client.appeared(TestApp.kettle)
        let session = try await app.client.sessionID()
        await app.client.didEnterBackground(within: 0)
        app.clock.advance(seconds: 300)
        app.restart()
        #expect(try await app.client.sessionID() == session)
        #expect(try await !app.client.appeared(TestApp.kettle))
        // What is left of the 600 seconds counts, not a new start.
        app.clock.advance(seconds: 300)
        #expect(try await app.client.sessionID() != session)
        // A process that ends in the foreground has not kept what was seen.
        try await app.client.didBecomeActive()
        let active = try await app.client.sessionID()
        app.restart()
        #expect(try await app.client.sessionID() != active)
    }

    @Test func `a process that runs in the background only leaves the session to the next one`() async throws {
        let app = try TestApp()
        try await app.client.didBecomeActive()
        try await app.client.appeared(TestApp.kettle)
        let session = try await app.client.sessionID()
        await app.client.didEnterBackground(within: 0)
        for _ in 0..<2 {
            app.clock.advance(seconds: 60)
            app.restart()
            try await app.client.start()
        }
        try await app.client.didBecomeActive()
        #expect(try await app.client.sessionID() == session)
        #expect(try await !app.client.appeared(TestApp.kettle))
    }

    @Test(arguments: [590, 700] as [Int64])
    func `leaving the foreground again does not prolong the session for the next process`(_ seconds: Int64) async throws
    {
        let app = try TestApp()
        try await app.client.didBecomeActive()
        let session = try await app.client.sessionID()
        await app.client.didEnterBackground(within: 0)
        app.clock.advance(seconds: seconds)
        await app.client.didEnterBackground(within: 0)
        app.clock.advance(seconds: 20)
        app.restart()
        #expect(try await app.client.sessionID() != session)
    }

    @Test func `the next process does not continue the session of who has logged out in the background`() async throws {
        let app = try TestApp()
        try await app.client.logIn(KnownPerson(userID: "u-1"))
        try await app.client.didBecomeActive()
        let session = try await app.client.sessionID()
        await app.client.didEnterBackground(within: 0)
        try await app.client.logOut()
        app.restart()
        #expect(try await app.client.sessionID() != session)
    }

    @Test func `a followed link is a click on its content, or an event of its own`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedIn)
        let route = try #require(
            app.configuration.links.outcome(of: "https://www.example.com/c/kitchen?utm_campaign=spring").route)
        try await app.client.followed(route, from: TestApp.kettle)
        try await app.client.followed(route)
        await app.flush()
        #expect(app.service.kinds.dropFirst() == ["catalog-object-click", "deep-link-open"])
        #expect(app.service.events.last?["linkValue"] == "kitchen")
        #expect(app.service.events.last?["utm_campaign"] == "spring")
        // A link that the rules accept is reported, whatever else is in it.
        let name = "utm_" + String(repeating: "n", count: 252)
        let long = String(repeating: "k", count: 300)
        let other = try #require(
            app.configuration.links.outcome(
                of: "https://www.example.com/c/\(long)?utm_%0a=1&\(name)=1&utm_source=mail"
            ).route)
        try await app.client.followed(other)
        await app.flush()
        let event = try #require(app.service.events.last)
        #expect(event["linkValue"]?.utf8.count == 255 && event["utm_source"] == "mail" && event[name] == nil)
    }
}
