import PushDispatch
import Testing

@testable import Optimization

@MainActor
struct PreviewTests {
    @Test func `overrides change what entries show, and stay over the next reply`() async throws {
        let app = try await TestApp.started()
        app.services.select([.init("exp-1", 0)])
        try await app.client.screen("Home")
        #expect(!app.client.personalizeEntry(baseline: TestEntries.hero).isVariant)
        app.client.overrideVariant("exp-1", index: 1)
        #expect(app.client.personalizeEntry(baseline: TestEntries.hero).entry.id == "hero-b")
        try await app.client.screen("Second")
        #expect(app.client.selectedPersonalizations == [.preview("exp-1", 1)])
        // They are never stored.
        #expect(try app.storage.load()["personalizations"]?.contains(#""variantIndex":0"#) == true)
        app.client.resetAllOverrides()
        #expect(app.client.selectedPersonalizations == [.init("exp-1", 0)])
    }

    @Test func `an audience takes its experiences from the definitions`() async throws {
        let app = try await TestApp.started()
        try await app.client.screen("Home")
        let audience = TestEntries.entry("a", type: "nt_audience", ["nt_audience_id": "aud-1", "nt_name": "Returning"])
        let experience = TestEntries.experience("exp-1", variants: ["b"], extra: ["nt_audience": audience])
        app.client.setPreviewDefinitions(
            PreviewDefinitions(entries: [audience, experience].compactMap(\.object).map { ContentEntry($0) }))
        app.client.overrideAudience("aud-1", isQualified: true)
        #expect(app.client.selectedPersonalizations == [.preview("exp-1", 1)])
        let panel = try #require(app.client.previewState?.panel)
        #expect(panel.audiences.map(\.state) == [.on] && panel.audiences.first?.isQualified == true)
        app.client.resetAudienceOverride("aud-1")
        #expect(app.client.selectedPersonalizations == [])
    }

    @Test func `the display tells views about panel, live and selections`() async throws {
        let app = try await TestApp.started()
        var displays = app.client.displayUpdates().makeAsyncIterator()
        #expect(await displays.next()?.selections == nil)
        app.client.setPreviewPanel(isOpen: true)
        #expect(await displays.next()?.conditions == .init(isPanelOpen: true, isLive: false))
        app.client.isLive = true
        #expect(await displays.next()?.conditions == .init(isPanelOpen: true, isLive: true))
        app.client.overrideVariant("exp-1", index: 1)
        #expect(await displays.next()?.selections == [.preview("exp-1", 1)])
        #expect(app.client.isPreviewPanelOpen && app.client.isLive)
    }

    @Test func `the state stream has the newest state`() async throws {
        let app = TestApp()
        var states = app.client.stateUpdates().makeAsyncIterator()
        #expect(await states.next() == OptimizationState())
        try await app.client.initialize(app.configuration)
        await app.client.consent(true)
        #expect(await states.next()?.consent == true)
        try await app.client.identify(userID: "u")
        #expect(await states.next()?.profile?.id == "p1")
        var events = app.client.eventUpdates().makeAsyncIterator()
        try await app.client.screen("Home")
        #expect(await events.next()?.object?["type"] == "screen")
    }

    @Test func `entries as dictionaries`() async throws {
        let app = try await TestApp.started()
        let result = app.client.personalizeEntry(
            baseline: TestEntries.hero.dictionary, personalizations: [["experienceId": "exp-1", "variantIndex": 1]])
        #expect((result.entry["sys"] as? [String: Any])?["id"] as? String == "hero-b")
        #expect(result.personalization?["variantIndex"] as? Int == 1 && !result.isEmptyVariant)
        let none = app.client.personalizeEntry(baseline: TestEntries.hero.dictionary, personalizations: nil)
        #expect(none.personalization == nil)
        #expect(app.client.mergeTagValue(TestEntries.hero) == nil)
    }
}
