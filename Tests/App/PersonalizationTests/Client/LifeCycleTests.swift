import EventDelivery
import PushDispatch
import Testing

@testable import Personalization

struct LifeCycleTests {
    private func app(_ configure: (inout PersonalizationConfiguration) -> Void) async throws -> TestApp {
        let app = try TestApp(configure)
        try await app.client.setConsent(.optedIn)
        return app
    }

    @Test func `the life cycle is reported where the app wants it`() async throws {
        let app = try await app { $0.tracksLifecycle = true }
        try await app.client.start()
        try await app.client.didBecomeActive()
        try await app.client.didBecomeActive()
        await app.client.didEnterBackground(within: 1_000)
        app.clock.advance(seconds: 1)
        try await app.client.didBecomeActive()
        await app.client.didEnterBackground(within: 1_000)
        app.configuration.app.version = "1.1"
        app.restart()
        try await app.client.start()
        try await app.client.didBecomeActive()
        await app.flush()
        #expect(
            app.service.kinds.dropFirst() == [
                "AppFirstLaunch", "AppBackgrounded", "AppLaunch", "AppBackgrounded", "AppUpdate", "AppLaunch",
            ])
        let update = try #require(app.service.events.first { $0.kind == "AppUpdate" })
        #expect(update["previousAppVersion"] == "1.0" && update["appVersion"] == "1.1" && update["appName"] == "Shop")
        #expect(update["eventType"] == "appEvents")
    }

    @Test func `nothing is tracked by default, and a version is noted all the same`() async throws {
        let app = try await app { _ in }
        try await app.client.start()
        try await app.client.didBecomeActive()
        try await app.client.screen("Home")
        await app.client.didEnterBackground(within: 1_000)
        #expect(app.service.kinds == ["Opt In"])
        app.configuration.tracksLifecycle = true
        app.restart()
        try await app.client.start()
        try await app.client.didBecomeActive()
        await app.flush()
        #expect(app.service.kinds == ["Opt In", "AppLaunch"])
    }

    @Test func `screens are reported by name`() async throws {
        let app = try await app { $0.tracksScreens = true }
        try await app.client.screen("Home")
        let error = await #expect(throws: PersonalizationError.self) { try await app.client.screen("") }
        #expect(error?.code == .missingID)
        await app.flush()
        #expect(app.service.events.last?["screenName"] == "Home" && app.service.kinds.last == "ScreenView")
    }

    @Test func `what the library cannot report is reported to the app`() async throws {
        let app = try TestApp { $0.tracksLifecycle = true }
        try await app.client.setConsent(.optedOut)
        try await app.client.start()
        #expect(
            app.reports.all.map { report in
                if case .notKept(kind: let kind, let error) = report { "\(kind) \(error.code)" } else { "?" }
            } == ["appEvents consent"])
    }

    @Test func `the background sends what is kept`() async throws {
        let app = try await app { _ in }
        try await app.client.didBecomeActive()
        try await app.client.track(.custom("a"))
        #expect(await app.client.didEnterBackground(within: 1_000).end == .complete)
        #expect(app.service.kinds.last == "a")
    }

    @Test func `an impression in the background is not repeated in its session by the next process`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedIn)
        try await app.client.didBecomeActive()
        await app.client.didEnterBackground(within: 0)
        #expect(try await app.client.appeared(TestApp.kettle))
        app.restart()
        #expect(try await app.client.appeared(TestApp.kettle))
        await app.flush()
        let sessions = app.service.events.filter { $0["personalizationContentId"] != nil }.map { $0["sessionId"] }
        #expect(sessions.count == 2 && sessions[0] != sessions[1])
    }

    @Test func `a session that is over does not go on after the clock has gone back`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedIn)
        try await app.client.didBecomeActive()
        try await app.client.track(.custom("first"))
        await app.client.didEnterBackground(within: 0)
        app.clock.jump(3_600_000)
        app.restart()
        try await app.client.track(.custom("second"))
        app.clock.jump(-3_600_000)
        app.restart()
        try await app.client.track(.custom("third"))
        await app.flush()
        #expect(Set(app.service.events.compactMap { $0["sessionId"] }).count == 3)
    }
}
