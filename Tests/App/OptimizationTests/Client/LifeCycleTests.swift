import EventDelivery
import Foundation
import PushDispatch
import Testing

@testable import Optimization

/// docs/reference/personalization.md 9.1 and 9.2.
@MainActor
struct LifeCycleTests {
    private func code(_ body: () async throws -> Void) async -> OptimizationError.Code? {
        do { try await body() } catch { return (error as? OptimizationError)?.code }
        return nil
    }

    @Test func `before initialize events throw, other calls do nothing`() async throws {
        let app = TestApp()
        let client = app.client
        let entry = TrackedEntry(componentID: "hero")
        #expect(await code { try await client.identify(userID: "u") } == .notInitialized)
        #expect(await code { try await client.page() } == .notInitialized)
        #expect(await code { try await client.screen("Home") } == .notInitialized)
        #expect(await code { try await client.track("bought") } == .notInitialized)
        #expect(await code { try await client.flush() } == .notInitialized)
        let view = ViewPayload(entry, viewID: "v", viewDurationMilliseconds: 1)
        #expect(await code { try await client.trackView(view) } == .notInitialized)
        #expect(await code { try await client.trackClick(ClickPayload(entry)) } == .notInitialized)

        await client.consent(true)
        client.reset()
        await client.setOnline(false)
        client.overrideAudience("a", isQualified: true, experienceIDs: ["exp-1"])
        client.overrideVariant("exp-1", index: 1)
        client.resetAudienceOverride("a")
        client.resetVariantOverride("exp-1")
        client.resetAllOverrides()
        client.setPreviewPanel(isOpen: true)
        client.viewMoved("v", entry, to: 1)
        client.viewRemoved("v")
        client.destroy()
        #expect(await client.willResignActive() == nil)
        #expect(client.state == OptimizationState() && client.selectedPersonalizations == nil)
        #expect(!client.isInitialized && !client.isPreviewPanelOpen && client.previewState == nil && !client.isLive)
        #expect(try app.storage.load().isEmpty && app.services.requests.isEmpty)

        let resolution = client.personalizeEntry(
            baseline: TestEntries.hero, personalizations: [.init("exp-1", 1)])
        #expect(resolution.entry == TestEntries.hero && resolution.selection == nil)
        #expect(resolution.reason == .notInitialized)
    }

    @Test func `a wrong configuration is refused with what is wrong`() async throws {
        let wrong: [((inout OptimizationConfiguration) -> Void, String)] = [
            ({ $0.clientID = " " }, "clientID"), ({ $0.environment = "" }, "environment"),
            ({ $0.environment = ".." }, "environment"), ({ $0.experienceBaseURL = "nonsense" }, "experienceBaseURL"),
            ({ $0.experienceBaseURL = "http://example.com" }, "https"),
            ({ $0.insightsBaseURL = "https://u:p@example.com" }, "insightsBaseURL"),
        ]
        for (change, word) in wrong {
            let app = TestApp()
            change(&app.configuration)
            let error = await #expect(throws: OptimizationError.self) {
                try await app.client.initialize(app.configuration)
            }
            #expect(error?.code == .configuration && error?.detail.contains(word) == true)
            #expect(!app.client.isInitialized)
        }
    }

    @Test func `a storage that cannot be read is a resource error, and the call can be repeated`() async throws {
        let storage = FailingStorage()
        storage.fail(true)
        let app = TestApp(storage: storage)
        #expect(await code { try await app.client.initialize(app.configuration) } == .resourceLoad)
        storage.fail(false)
        try await app.client.initialize(app.configuration)
        #expect(app.client.isInitialized)
        // A second time is a mistake of the app.
        #expect(await code { try await app.client.initialize(app.configuration) } == .configuration)
    }

    @Test func `start values fill only what is not stored`() async throws {
        let start = StartValues(
            consent: false, profile: OptimizationProfile(["id": "start"]), changes: [],
            personalizations: [.init("exp-1", 1)])
        let app = TestApp()
        app.configuration.defaults = start
        try await app.client.initialize(app.configuration)
        #expect(app.client.state.consent == false && app.client.state.profile?.id == "start")
        #expect(app.client.selectedPersonalizations == [.init("exp-1", 1)] && app.client.state.changes == [])
        await app.client.consent(true)
        try await app.client.identify(userID: "u")
        #expect(app.client.state.profile?.id == "start" && app.client.selectedPersonalizations == [])

        // The next process has its own, stored values.
        app.restart()
        try await app.client.initialize(app.configuration)
        #expect(app.client.state.consent == true && app.client.selectedPersonalizations == [])
        // In the later generation the configured ones win.
        app.restart()
        app.configuration.generation = .later
        try await app.client.initialize(app.configuration)
        #expect(app.client.state.consent == false && app.client.selectedPersonalizations == [.init("exp-1", 1)])
    }

    @Test func `consent is not turned on by itself`() async throws {
        let app = TestApp()
        try await app.client.initialize(app.configuration)
        #expect(app.client.state.consent == nil && !app.client.state.canPersonalize)
    }

    @Test func `values are stored under the keys of the original`() async throws {
        let app = try await TestApp.started()
        app.services.select([.init("exp-1", 1)], changes: [OptimizationChange(key: "flag", value: true)])
        try await app.client.identify(userID: "u")
        let stored = try app.storage.load()
        #expect(Set(stored.keys) == ["profile", "consent", "changes", "personalizations", "anonymousId"])
        #expect(stored["consent"] == "accepted" && stored["anonymousId"] == "p1")
        await app.client.consent(false)
        #expect(try app.storage.load()["consent"] == "denied")
    }

    @Test func `damaged stored values are left out and reported`() async throws {
        let app = TestApp(
            storage: MemoryOptimizationStorage([
                "profile": "{", "consent": "perhaps", "changes": "7", "personalizations": #"[{"experienceId":"x"}]"#,
            ]))
        try await app.client.initialize(app.configuration)
        #expect(app.client.state.profile == nil && app.client.state.consent == nil)
        #expect(app.client.selectedPersonalizations == [])
        guard case .leftOut(let issues)? = app.reports.all.first else {
            Issue.record("nothing was reported")
            return
        }
        #expect(Set(issues.map(\.path)) == ["profile", "consent", "changes", "personalizations[0].variantIndex"])
    }

    @Test func `reset forgets the person and keeps their answer`() async throws {
        let app = try await TestApp.started()
        app.services.select([.init("exp-1", 1)])
        try await app.client.identify(userID: "u")
        #expect(app.client.state.canPersonalize)
        app.client.reset()
        #expect(app.client.state == OptimizationState(consent: true))
        #expect(app.client.selectedPersonalizations == nil)
        let stored = try app.storage.load()
        #expect(stored["profile"] == nil && stored["personalizations"] == nil && stored["anonymousId"] == nil)
        #expect(stored["consent"] == "accepted")
        // The next event makes a new profile.
        try await app.client.identify(userID: "other")
        #expect(app.services.profileRequests.last?.url.path.hasSuffix("/profiles") == true)
        #expect(app.client.state.profile?.id == "p2")
    }

    @Test func `destroy empties the state and leaves what is stored`() async throws {
        let app = try await TestApp.started()
        try await app.client.identify(userID: "u")
        app.client.destroy()
        #expect(!app.client.isInitialized && app.client.state == OptimizationState())
        #expect(await code { try await app.client.screen("Home") } == .notInitialized)
        #expect(try app.storage.load()["profile"] != nil)
        try await app.client.initialize(app.configuration)
        #expect(app.client.state.profile?.id == "p1")
    }

    @Test func `what cannot be stored is stored with the next change`() async throws {
        let storage = FailingStorage()
        let app = TestApp(storage: storage)
        try await app.client.initialize(app.configuration)
        storage.fail(true)
        await app.client.consent(true)
        #expect(app.client.state.consent == true && storage.values.isEmpty)
        #expect(app.reports.all.contains { if case .notStored = $0 { true } else { false } })
        storage.fail(false)
        try await app.client.identify(userID: "u")
        #expect(storage.values["consent"] == "accepted" && storage.values["profile"] != nil)
    }

    @Test func `the monitor moves the client`() async throws {
        let monitor = TestMonitor()
        let services = TestServices()
        let client = OptimizationClient(
            storage: MemoryOptimizationStorage(), transport: services, monitor: monitor, clock: TestClock())
        try await client.initialize(OptimizationConfiguration(clientID: "client-1"))
        monitor.report?(.online(false))
        await eventually { !client.isOnline }
        try await client.screen("Home")
        #expect(services.requests.isEmpty)
        monitor.report?(.online(true))
        await eventually { services.profileRequests.count == 1 }
        client.destroy()
        #expect(monitor.report == nil)
    }
}

@MainActor
private final class TestMonitor: OptimizationMonitor {
    var report: (@MainActor @Sendable (MonitorEvent) -> Void)?

    func start(_ report: @escaping @MainActor @Sendable (MonitorEvent) -> Void) { self.report = report }
    func stop() { report = nil }
}
