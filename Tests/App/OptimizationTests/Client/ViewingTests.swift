import EventDelivery
import PushDispatch
import Testing

@testable import Optimization

/// Views through the client, on a clock that the test moves.
@MainActor
struct ViewingTests {
    private let hero = TrackedEntry(componentID: "hero", experienceID: "exp-1", variantIndex: 1)

    private func started() async throws -> TestApp {
        let app = try await TestApp.started()
        try await app.client.identify(userID: "u")
        return app
    }

    private func durations(_ app: TestApp) async throws -> [JSONValue?] {
        try await app.client.flush()
        return app.services.analyticsEvents.map { $0.event["viewDurationMs"] }
    }

    /// Moves time to where the timer of the views is, and waits until it is set again.
    private func tick(_ app: TestApp, _ milliseconds: Int64, next: Int64) async {
        await eventually { app.clock.alarms.contains(app.clock.now().advanced(byMilliseconds: milliseconds)) }
        app.clock.advance(milliseconds: milliseconds)
        await eventually { app.clock.alarms.contains(app.clock.now().advanced(byMilliseconds: next)) }
    }

    @Test func `12 seconds: events at 2, 7 and 12 and at the end, with one id`() async throws {
        let app = try await started()
        app.client.viewMoved("a", hero, to: 1)
        await tick(app, 2_000, next: 5_000)
        await tick(app, 5_000, next: 5_000)
        await tick(app, 5_000, next: 5_000)
        app.client.viewMoved("a", hero, to: 0.2)
        #expect(try await durations(app) == [2_000, 7_000, 12_000, 12_000])
        #expect(Set(app.services.analyticsEvents.map { $0.event["viewId"] }).count == 1)
        #expect(app.client.viewTimer == nil)
    }

    @Test func `1.9 seconds give nothing`() async throws {
        let app = try await started()
        app.client.viewMoved("a", hero, to: 1)
        app.clock.advance(milliseconds: 1_900)
        app.client.viewRemoved("a")
        #expect(try await durations(app) == [])
    }

    @Test func `the background ends views and sends them`() async throws {
        let app = try await started()
        app.client.viewMoved("a", hero, to: 1)
        app.clock.advance(milliseconds: 2_500)
        #expect(await app.client.willResignActive()?.end == .complete)
        #expect(app.services.analyticsEvents.map { $0.event["viewDurationMs"] } == [2_000, 2_500])
        app.client.didBecomeActive()
        app.clock.advance(milliseconds: 60_000)
        #expect(try await durations(app).count == 2)
    }

    @Test func `the configuration's rules count, or those of the view`() async throws {
        let app = try await started()
        app.client.viewMoved("tall", hero, to: 0.4, rules: ViewTrackingRules(threshold: 0.3))
        app.client.viewMoved("usual", TrackedEntry(componentID: "footer"), to: 0.4)
        app.clock.advance(milliseconds: 2_000)
        app.client.viewRemoved("tall")
        app.client.viewRemoved("usual")
        #expect(try await durations(app) == [2_000, 2_000])
        #expect(app.services.analyticsEvents.allSatisfy { $0.event["componentId"] == "hero" })
    }

    @Test func `taps are reported in order`() async throws {
        let app = try await started()
        for index in 0..<5 { app.client.tapped(TrackedEntry(componentID: "e\(index)")) }
        try await app.client.flush()
        #expect(app.services.analyticsEvents.map { $0.event["componentId"] } == (0..<5).map { .string("e\($0)") })
    }
}
