import EventDelivery
import PushDispatch
import Testing

@testable import Personalization

struct ConsentTests {
    @Test func `pending keeps, opt-out deletes and sends one record, opt-in sends`() async throws {
        let app = try TestApp()
        try await app.client.track(.custom("kept"))
        try await app.client.logIn(KnownPerson(userID: "u-1"))
        await app.flush()
        #expect(app.service.events.isEmpty)
        #expect(await app.queue.status(of: "personalization")?.kept == 2)

        try await app.client.setConsent(.optedOut)
        await app.flush()
        #expect(app.service.kinds == ["Opt Out"])
        #expect(
            app.service.events.first?["provider"] == "app" && app.service.events.first?["purpose"] == "personalization")
        #expect(
            app.reports.dropped.map(\.kind).sorted()
                == ["identity", "kept"])
        #expect(await app.queue.status(of: "personalization")?.kept == 0)

        // The same answer at the next start is no new record.
        app.restart()
        #expect(await app.client.consent() == .optedOut)
        try await app.client.setConsent(.optedOut)
        await app.flush()
        #expect(app.service.kinds == ["Opt Out"])

        try await app.client.setConsent(.optedIn)
        try await app.client.track(.custom("sent"))
        await app.flush()
        // Who the person is was withdrawn by the opt-out, so it is reported again.
        #expect(app.service.kinds == ["Opt Out", "Opt In", "identity", "sent"])
        #expect(app.service.events[2]["userId"] == "u-1")
    }

    @Test func `a log-in after an opt-out is reported after the opt-in`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedOut)
        try await app.client.logIn(KnownPerson(userID: "u-1", email: "kim@example.com"))
        await app.flush()
        #expect(app.service.kinds == ["Opt Out"])
        app.restart()
        #expect(try await app.client.identity().userID == "u-1")
        try await app.client.setConsent(.optedIn)
        await app.flush()
        #expect(app.service.kinds == ["Opt Out", "Opt In", "identity", "contactPointEmail"])
        #expect(app.reports.all.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a log-out is reported after the opt-in, wherever the opt-out came`(isFirst: Bool) async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedIn)
        try await app.client.logIn(KnownPerson(userID: "u-1"))
        await app.flush()
        app.service.setOnline(false)
        await app.client.networkChanged(isOnline: false)
        if isFirst { try await app.client.logOut() }
        try await app.client.setConsent(.optedOut)
        if !isFirst { try await app.client.logOut() }
        app.restart()
        // Another log-out changes nothing.
        try await app.client.logOut()
        app.service.setOnline(true)
        await app.client.networkChanged(isOnline: true)
        try await app.client.setConsent(.optedIn)
        await app.flush()
        #expect(app.service.kinds.last == "identity" && app.service.events.last?["isAnonymous"] == "1")
    }

    @Test func `changing the answer back and forth offline sends one record, the last`() async throws {
        let app = try TestApp()
        app.service.setOnline(false)
        await app.client.networkChanged(isOnline: false)
        for answer in [ConsentState.optedIn, .optedOut, .optedIn, .optedOut] { try await app.client.setConsent(answer) }
        app.service.setOnline(true)
        await app.client.networkChanged(isOnline: true)
        await app.flush()
        #expect(app.service.kinds == ["Opt Out"])
    }

    @Test func `each purpose has an answer and a record of its own`() async throws {
        let app = try TestApp {
            $0.purposes = PersonalizationPurposes(events: "analytics", identity: "profile", decisions: "analytics")
        }
        try await app.client.setConsent(.optedIn, for: "analytics")
        try await app.client.setConsent(.optedOut, for: "profile")
        try await app.client.logIn(KnownPerson(userID: "u-1"))
        try await app.client.track(.custom("sent"))
        await app.flush()
        #expect(app.service.kinds == ["Opt In", "Opt Out", "sent"])
        #expect(app.service.events.prefix(2).map { $0["purpose"] } == ["analytics", "profile"])
        #expect(await app.client.consent(for: "profile") == .optedOut)
        try await app.client.setConsent(.optedIn)
        await app.flush()
        #expect(app.service.kinds.suffix(2) == ["Opt In", "identity"])
    }

    @Test func `an opt-out holds although the state cannot be written`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedIn)
        await app.flush()
        app.service.setOnline(false)
        try await app.client.track(.custom("kept"))
        let storage = FailingStorage()
        storage.fail(true)
        app.storage = storage
        app.restart()
        let error = await #expect(throws: PersonalizationError.self) { try await app.client.setConsent(.optedOut) }
        #expect(error?.code == .storage)
        #expect(await app.client.consent() == .optedOut)
        app.service.setOnline(true)
        await app.client.networkChanged(isOnline: true)
        await app.flush()
        #expect(app.service.kinds == ["Opt In"])
        #expect(app.reports.dropped.map(\.kind) == ["kept"])
    }

    @Test func `a queue that cannot be opened is not a missing consent`() async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedIn)
        let store = FullEventStore()
        store.close()
        app.events = store
        app.restart()
        let fetch = await #expect(throws: DecisionError.self) { try await app.client.fetchDecisions(["home"]) }
        let prefetch = await #expect(throws: DecisionError.self) { try await app.client.prefetchDecisions(["home"]) }
        let cached = await #expect(throws: DecisionError.self) { try await app.client.cachedDecisions(["home"]) }
        for error in [fetch, prefetch, cached] {
            #expect(error?.code == .notInitialized && error?.detail.contains("cannot be opened") == true)
        }
        let event = await #expect(throws: PersonalizationError.self) { try await app.client.track(.custom("a")) }
        #expect(event?.code == .storage && event?.store?.code == .readOnly)
        // What the person says now holds all the same.
        try? await app.client.setConsent(.optedOut)
        let refused = await #expect(throws: DecisionError.self) { try await app.client.fetchDecisions(["home"]) }
        #expect(refused?.code == .consent)
    }

    @Test(arguments: [0, -5] as [Int64])
    func `a timeout that is not positive is an error of the request`(_ timeout: Int64) async throws {
        let app = try TestApp()
        try await app.client.setConsent(.optedIn)
        let error = await #expect(throws: DecisionError.self) {
            try await app.client.fetchDecisions(["home"], timeoutMilliseconds: timeout)
        }
        #expect(error?.code == .requestInvalid)
        #expect(app.decisions.requests.isEmpty)
    }

    @Test func `an opt-out also withdraws what waits for the queue`() async throws {
        let app = try TestApp()
        let store = FullEventStore()
        app.events = store
        app.restart()
        try await app.client.start()
        store.allow(0)
        await #expect(throws: PersonalizationError.self) { try await app.client.logIn(KnownPerson(userID: "u-1")) }
        store.allow(.max)
        try await app.client.setConsent(.optedOut)
        await app.flush()
        #expect(app.service.kinds == ["Opt Out"])
        #expect(app.reports.all.contains { if case .notKept(kind: "identity", _) = $0 { true } else { false } })
    }
}
