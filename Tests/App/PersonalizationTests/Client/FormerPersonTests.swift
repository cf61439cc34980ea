import EventDelivery
import PushDispatch
import TestSupport
import Testing

@testable import Personalization

/// Decisions after a change of the person that the service does not know of yet.
@Suite(.timeLimit(.minutes(5)))
struct FormerPersonTests {
    private let kim = KnownPerson(userID: "u-kim")
    private let lee = KnownPerson(userID: "u-lee")

    private func app(_ configure: (inout PersonalizationConfiguration) -> Void = { _ in }) async throws -> TestApp {
        let app = try TestApp(configure)
        app.decisions.history = ["u-kim": ["1"], "u-lee": ["2"]]
        try await app.client.setConsent(.optedIn)
        return app
    }

    private func skus(_ app: TestApp) async throws -> [String?] {
        try await app.client.fetchDecisions(["home"])["home"]?.items.map { $0["ssot__ProductSKU__c"] } ?? []
    }

    @Test func `until the service knows of a log-out, nobody gets what it has for the person before`() async throws {
        let app = try await app()
        try await app.client.logIn(kim)
        #expect(try await skus(app) == ["1"])
        app.service.answer(500)
        try await app.client.logOut()
        try await app.client.logIn(lee)
        let requests = app.decisions.requests.count
        for _ in 0..<2 {
            let error = await #expect(throws: DecisionError.self) { try await app.client.fetchDecisions(["home"]) }
            #expect(error?.code == .network && error?.detail.contains("log-out") == true)
            try await app.client.prefetchDecisions(["home"])
            // The next process has not forgotten it.
            app.restart()
        }
        #expect(app.decisions.requests.count == requests)
        app.service.answer(nil)
        app.clock.advance(seconds: 60)
        #expect(try await skus(app) == ["2"])
        #expect(try await app.client.cachedDecisions(["home"]).source == .cache)
    }

    @Test func `the next process waits for the log-out of the one before`() async throws {
        let app = try await app()
        try await app.client.logIn(kim)
        #expect(try await skus(app) == ["1"])
        app.service.setOnline(false)
        try await app.client.logOut()
        app.restart()
        app.service.setOnline(true)
        #expect(try await skus(app) == [])
        #expect(app.service.events.last?["isAnonymous"] == "1")
    }

    @Test func `a reply that may be for an anonymous person is shown, and not kept for the known one`() async throws {
        let app = try await app()
        await app.flush()
        app.service.answer(500)
        try await app.client.logIn(lee)
        #expect(try await skus(app) == [])
        #expect(try await app.client.cachedDecisions(["home"]).source == .default)
        app.service.answer(nil)
        app.clock.advance(seconds: 60)
        #expect(try await skus(app) == ["2"])
        #expect(try await app.client.cachedDecisions(["home"]).source == .cache)
    }

    @Test func `a fetch ends with userChanged if somebody else logs in while it waits`() async throws {
        let app = try await app()
        await app.flush()
        app.service.hold()
        try await app.client.logIn(kim)
        let client = app.client
        let fetch = Task { try await client.fetchDecisions(["home"]) }
        // Its limit runs.
        #expect(await eventually { app.clock.waiting > 0 })
        try await client.logOut()
        try await client.logIn(lee)
        app.service.release()
        let error = await #expect(throws: DecisionError.self) { _ = try await fetch.value }
        #expect(error?.code == .userChanged)
        #expect(app.decisions.requests.isEmpty)
    }

    @Test func `a flush that may not send the log-in does not make the person known`() async throws {
        let app = try TestApp {
            $0.purposes = PersonalizationPurposes(events: "analytics", identity: "profile", decisions: "analytics")
        }
        try await app.client.setConsent(.optedIn, for: "analytics")
        try await app.client.logIn(kim)
        #expect(try await app.client.fetchDecisions(["home"]).source == .service)
        app.service.answer(500)
        try await app.client.setConsent(.optedIn, for: "profile")
        #expect(try await app.client.fetchDecisions(["cart"]).source == .service)
        #expect(try await app.client.cachedDecisions(["cart"]).source == .default)
    }

    @Test func `the log-in is sent at once when a fetch has stopped waiting for it`() async throws {
        let app = try await app()
        await app.flush()
        app.service.hold()
        try await app.client.setProfileAttributes(["tier": "gold"])
        try await app.client.logIn(kim)
        let client = app.client
        let fetch = Task { try await client.fetchDecisions(["home"], timeoutMilliseconds: 86_400_000) }
        // The fetch may begin to wait after the queue has: then only a later advance ends its wait. A day is longer than all of
        // them, so that the fetch itself does not time out.
        #expect(
            await eventually {
                app.clock.advance(seconds: 2)
                return !app.decisions.requests.isEmpty
            })
        #expect(try await fetch.value.source == .service)
        app.service.release()
        #expect(await eventually { app.service.events.last?["userId"] == "u-kim" })
    }

    @Test func `a log-out that cannot be stored is the reason why nothing is fetched`() async throws {
        let app = try TestApp()
        let storage = FailingStorage()
        app.storage = storage
        app.restart()
        try await app.client.setConsent(.optedIn)
        try await app.client.logIn(kim)
        await app.flush()
        storage.fail(true)
        await #expect(throws: PersonalizationError.self) { try await app.client.logOut() }
        let error = await #expect(throws: DecisionError.self) { try await app.client.fetchDecisions(["home"]) }
        #expect(error?.code == .notInitialized && error?.detail.contains("disk is full") == true)
        #expect(app.decisions.requests.isEmpty)
    }

    @Test func `without consent a prefetch ends at once`() async throws {
        let app = try TestApp()
        try await app.client.logIn(kim)
        let error = await #expect(throws: DecisionError.self) { try await app.client.prefetchDecisions(["home"]) }
        #expect(error?.code == .consent)
    }

    @Test func `a log-out that a full queue refuses is reported once there is space`() async throws {
        let app = try await app { configuration in
            configuration.delivery.limits.maximumEvents = 3
            configuration.delivery.limits.overflow = .refuseNew
        }
        try await app.client.logIn(kim)
        #expect(try await skus(app) == ["1"])
        app.service.answer(500)
        for _ in 0..<3 { try await app.client.track(.custom("visit")) }
        let error = await #expect(throws: PersonalizationError.self) { try await app.client.logOut() }
        #expect(error?.code == .notKept)
        await #expect(throws: DecisionError.self) { try await app.client.fetchDecisions(["home"]) }
        app.service.answer(nil)
        app.clock.advance(seconds: 60)
        await app.flush()
        #expect(try await skus(app) == [])
        #expect(app.service.events.last?["isAnonymous"] == "1")
    }
}
