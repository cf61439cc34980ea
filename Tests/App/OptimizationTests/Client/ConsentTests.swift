import EventDelivery
import PushDispatch
import Testing

@testable import Optimization

/// docs/reference/personalization.md 9.4.
@MainActor
struct ConsentTests {
    private let view = ViewPayload(TrackedEntry(componentID: "hero"), viewID: "v", viewDurationMilliseconds: 2_000)

    @Test func `without consent identify and screen go through, all else is blocked and reported`() async throws {
        for answer in [nil, false] as [Bool?] {
            let app = TestApp()
            try await app.client.initialize(app.configuration)
            if let answer { await app.client.consent(answer) }
            var blocked = app.client.blockedEvents().makeAsyncIterator()
            #expect(try await app.client.identify(userID: "u") == .queued)
            #expect(try await app.client.screen("Home") == .queued)
            #expect(try await app.client.page(["path": "/"]) == .blocked)
            #expect(try await app.client.track("bought") == .blocked)
            #expect(try await app.client.trackView(view) == .blocked)
            #expect(try await app.client.trackClick(ClickPayload(view.entry)) == .blocked)
            let page = await blocked.next()
            #expect(
                page?.reason == "consent" && page?.method == "page" && page?.arguments == ["properties": ["path": "/"]])
            #expect(await blocked.next()?.type == "track")
            #expect(await blocked.next()?.type == "component")
            let click = await blocked.next()
            #expect(click?.method == "trackClick" && click?.type == "component_click")
            #expect(click?.arguments["componentId"] == "hero")
            // Dropped, not queued: a later answer sends nothing.
            await app.client.consent(true)
            try await app.client.flush()
            #expect(app.services.profileEvents.map { $0["type"] } == ["identify", "screen"])
            #expect(app.services.profileEvents.first?["context"]?.object?["gdpr"] == ["isConsentGiven": false])
            #expect(app.services.analyticsRequests.isEmpty)
        }
    }

    @Test func `the answer survives the end of the process`() async throws {
        let app = try await TestApp.started()
        app.restart()
        try await app.client.initialize(app.configuration)
        #expect(app.client.state.consent == true)
        #expect(try await app.client.page() == .queued)
        await app.client.consent(false)
        app.restart()
        try await app.client.initialize(app.configuration)
        #expect(app.client.state.consent == false)
        #expect(try await app.client.page() == .blocked)
    }

    @Test func `withdrawing consent deletes queued events that need it`() async throws {
        let app = try await TestApp.started()
        await app.client.setOnline(false)
        try await app.client.screen("Home")
        try await app.client.track("bought")
        await app.client.consent(false)
        #expect(app.reports.dropped.map(\.kind) == ["track"] && app.reports.dropped.map(\.reason) == [.optedOut])
        await app.client.setOnline(true)
        await eventually { await app.client.queuedEvents().profile == 0 }
        #expect(app.services.profileEvents.map { $0["type"] } == ["screen"])
    }

    @Test func `the later generation has a list of allowed events, and an answer about storage`() async throws {
        let app = TestApp()
        app.configuration = OptimizationConfiguration(clientID: "client-1", generation: .later)
        #expect(app.configuration.environment == "main" && app.configuration.views == .laterGeneration)
        app.configuration.allowedBeforeConsent = ["page"]
        try await app.client.initialize(app.configuration)
        #expect(try await app.client.page() == .queued)
        #expect(try await app.client.screen("Home") == .blocked)
        await app.client.consent(events: true, storage: false)
        try await app.client.screen("Home")
        #expect(try Set(app.storage.load().keys) == ["consent", "storageConsent"])
        await app.client.consent(events: true, storage: true)
        #expect(try app.storage.load()["profile"] != nil)
        await app.client.consent(events: false, storage: false)
        #expect(try app.storage.load() == ["consent": "denied", "storageConsent": "denied"])
    }

    @Test func `the first generation's list is fixed`() async throws {
        let app = TestApp()
        app.configuration.allowedBeforeConsent = ["page"]
        try await app.client.initialize(app.configuration)
        #expect(try await app.client.page() == .blocked)
        #expect(try await app.client.screen("Home") == .queued)
    }
}
