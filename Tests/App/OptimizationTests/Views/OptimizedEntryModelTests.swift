import EventDelivery
import PushDispatch
import Testing

@testable import Optimization

@MainActor
struct OptimizedEntryModelTests {
    private func started(_ index: Int = 0) async throws -> TestApp {
        let app = try await TestApp.started()
        app.services.select([.init("exp-1", index)])
        try await app.client.screen("Home")
        return app
    }

    private func select(_ index: Int, in app: TestApp) async throws {
        app.services.select([.init("exp-1", index)])
        try await app.client.screen("Home")
    }

    @Test func `a locked entry keeps its first selection, a live one follows`() async throws {
        let app = TestApp()
        let locked = OptimizedEntryModel(app.client, baseline: TestEntries.hero)
        let live = OptimizedEntryModel(app.client, baseline: TestEntries.hero, isLive: true)
        #expect(locked.resolution.reason == .notInitialized)
        try await app.client.initialize(app.configuration)
        #expect(locked.resolution.reason == .notSelectedYet)
        try await select(0, in: app)
        try await select(1, in: app)
        #expect(locked.resolution.reason == .baselineSelected(experience: "exp-1"))
        #expect(live.resolution.entry.id == "hero-b")
        locked.isLive = true
        #expect(locked.resolution.entry.id == "hero-b")
    }

    @Test func `the panel makes every entry live, and its end is the new fixed state`() async throws {
        let app = try await started()
        let model = OptimizedEntryModel(app.client, baseline: TestEntries.hero, isLive: false)
        app.client.setPreviewPanel(isOpen: true)
        app.client.overrideVariant("exp-1", index: 1)
        #expect(model.resolution.isVariant)
        // Nobody reads it between these two calls.
        app.client.overrideVariant("exp-1", index: 0)
        app.client.setPreviewPanel(isOpen: false)
        app.client.overrideVariant("exp-1", index: 1)
        #expect(!model.resolution.isVariant)
        app.client.isLive = true
        #expect(!model.resolution.isVariant)
        model.isLive = nil
        #expect(model.resolution.isVariant)
    }

    @Test func `a change while it is visible ends the view of the former variant`() async throws {
        let app = try await started()
        let model = OptimizedEntryModel(app.client, baseline: TestEntries.hero, isLive: true)
        model.moved(to: 1)
        app.clock.advance(milliseconds: 2_500)
        try await select(1, in: app)
        app.clock.advance(milliseconds: 3_000)
        model.removed()
        model.tapped()
        try await app.client.flush()
        let events = app.services.analyticsEvents.map(\.event)
        #expect(events.map { $0["variantIndex"] } == [0, 0, 1, 1, 1])
        #expect(events.map { $0["viewDurationMs"] } == [2_000, 2_500, 2_000, 3_000, nil])
        // A variant is reported under the baseline's id.
        #expect(events.allSatisfy { $0["componentId"] == "hero" && $0["experienceId"] == "exp-1" })
    }

    @Test func `what the panel has chosen is not reported, also when a locked entry keeps it`() async throws {
        let app = try await started()
        let model = OptimizedEntryModel(app.client, baseline: TestEntries.hero)
        model.moved(to: 1)
        app.clock.advance(milliseconds: 2_500)
        app.client.setPreviewPanel(isOpen: true)
        app.client.overrideVariant("exp-1", index: 1)
        #expect(model.resolution.entry.id == "hero-b" && model.tracked == nil)
        app.clock.advance(milliseconds: 5_000)
        model.tapped()
        app.client.setPreviewPanel(isOpen: false)
        app.client.resetAllOverrides()
        model.moved(to: 0.9)
        app.clock.advance(milliseconds: 5_000)
        model.removed()
        #expect(model.resolution.entry.id == "hero-b" && app.client.viewTimer == nil)
        try await app.client.flush()
        // The view before the panel, and its end.
        #expect(app.services.analyticsEvents.map { $0.event["viewDurationMs"] } == [2_000, 2_500])
    }

    @Test func `its stream has what is shown`() async throws {
        let app = try await started()
        let model = OptimizedEntryModel(app.client, baseline: TestEntries.hero, isLive: true)
        var updates = model.updates().makeAsyncIterator()
        #expect(await updates.next()?.isVariant == false)
        try await select(1, in: app)
        #expect(await updates.next()?.entry["title"] == "Welcome back")
        model.show(ContentEntry([:]))
        #expect(await updates.next()?.reason == .noExperiences && model.tracked == nil)
        // Without an id nothing is reported.
        model.moved(to: 1)
        model.tapped()
        #expect(app.client.viewTimer == nil)
    }

    @Test func `the client keeps no view alive`() async throws {
        let app = try await started()
        weak var gone: OptimizedEntryModel?
        for _ in 0..<200 {
            let model = OptimizedEntryModel(app.client, baseline: TestEntries.hero)
            gone = model
            #expect(model.resolution.selection != nil)
        }
        #expect(gone == nil)
        app.client.isLive = true
    }
}
