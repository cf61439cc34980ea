import EventDelivery
import PushDispatch
import Testing

@testable import Personalization

struct IdentityTests {
    private let kim = KnownPerson(userID: "u-1001", email: "kim@example.com", firstName: "Kim", lastName: "Lee")

    private func app(_ configure: (inout PersonalizationConfiguration) -> Void = { _ in }) async throws -> TestApp {
        let app = try TestApp(configure)
        try await app.client.setConsent(.optedIn)
        await app.flush()
        return app
    }

    @Test func `a log-in is an identity event with all attributes, and the contact points that are complete`()
        async throws
    {
        let app = try await app()
        var person = kim
        person.phoneNumber = "+4930123456"
        person.address = PostalAddress(addressLine1: "Main St 1", city: "Berlin", postalCode: "10115", country: "DE")
        person.parties = [PartyIdentification(name: "CRM Contact Id", type: "CRM", userID: "003xx0001")]
        try await app.client.logIn(person)
        await app.flush()
        let events = app.service.events.dropFirst()
        #expect(
            events.map { $0["eventType"] } == [
                "identity", "contactPointEmail", "contactPointPhone", "partyIdentification",
            ])
        let identity = try #require(events.first)
        #expect(
            identity["isAnonymous"] == "0" && identity["userId"] == "u-1001" && identity["email"] == "kim@example.com")
        #expect(identity["firstName"] == "Kim" && identity["lastName"] == "Lee" && identity["city"] == "Berlin")
        #expect(events.allSatisfy { $0["category"] == "Profile" })
        #expect(events.last?["IDName"] == "CRM Contact Id" && events.last?["userId"] == "003xx0001")

        // The address is complete now, and nothing else has changed.
        person.address?.stateProvince = "BE"
        try await app.client.logIn(person)
        await app.flush()
        #expect(app.service.events.suffix(2).map { $0["eventType"] } == ["identity", "contactPointAddress"])
        try await app.client.logIn(person)
        await app.flush()
        #expect(app.service.events.count == 7)
    }

    @Test func `a person without any id cannot log in`() async throws {
        let app = try await app()
        let wrong = [
            KnownPerson(firstName: "Kim"), KnownPerson(userID: "", email: ""),
            KnownPerson(userID: "u", attributes: ["email": "x"]),
            KnownPerson(userID: "u", attributes: ["isAnonymous": "1"]), KnownPerson(userID: "a\nb"),
            KnownPerson(userID: "u", parties: [PartyIdentification(name: "", type: "CRM", userID: "1")]),
        ]
        for person in wrong {
            await #expect(throws: PersonalizationError.self) { try await app.client.logIn(person) }
        }
        #expect(try await app.client.identity().userID == nil)
        #expect(await app.queue.status(of: "personalization")?.kept == 0)
    }

    @Test func `a log-out removes the person, starts a session and keeps the device`() async throws {
        let app = try await app()
        try await app.client.logIn(kim)
        try await app.client.appeared(TestApp.kettle)
        let before = try await app.client.identity()
        let session = try await app.client.sessionID()
        try await app.client.logOut()
        let after = try await app.client.identity()
        #expect(before.userID == "u-1001" && after.userID == nil)
        #expect(after.deviceID == before.deviceID && after.generation > before.generation)
        #expect(try await app.client.sessionID() != session)
        #expect(try await app.client.appeared(TestApp.kettle))
        await app.flush()
        let event = try #require(app.service.events.last { $0["eventType"] == "identity" })
        #expect(event["isAnonymous"] == "1" && event["email"] == nil && event["userId"] == nil)
        // A second log-in of the same person is reported again, contact points too.
        try await app.client.logIn(kim)
        await app.flush()
        #expect(app.service.events.suffix(2).map { $0["eventType"] } == ["identity", "contactPointEmail"])
    }

    @Test func `a log-out can change the id of the device`() async throws {
        let app = try await app { $0.deviceIDAfterLogOut = .new }
        try await app.client.logIn(kim)
        let before = try await app.client.identity().deviceID
        try await app.client.logOut()
        let after = try await app.client.identity().deviceID
        #expect(before != after)
        app.restart()
        #expect(try await app.client.identity().deviceID == after)
        await app.flush()
        #expect(app.service.events.last?["deviceId"] == after)
    }

    @Test func `somebody else's log-in begins without anything of the person before`() async throws {
        let app = try await app()
        try await app.client.logIn(kim)
        let before = try await app.client.identity()
        let session = try await app.client.sessionID()
        try await app.client.logIn(KnownPerson(userID: "u-2"))
        #expect(try await app.client.identity().generation > before.generation)
        #expect(try await app.client.sessionID() != session)
        await app.flush()
        let event = try #require(app.service.events.last)
        #expect(
            event["userId"] == "u-2" && event["isAnonymous"] == "0" && event["email"] == nil
                && event["firstName"] == nil)
    }

    @Test func `a person known by email may add a user id`() async throws {
        let app = try await app()
        try await app.client.logIn(KnownPerson(email: "Kim@example.com"))
        let before = try await app.client.identity()
        try await app.client.logIn(kim)
        #expect(try await app.client.identity().generation == before.generation)
        #expect(try await app.client.identity().userID == "u-1001")
    }

    @Test func `a log-in without an id in common is somebody else's`() async throws {
        let party = PartyIdentification(name: "CRM Contact Id", type: "CRM", userID: "003xx0001")
        let pairs: [(KnownPerson, KnownPerson, isSame: Bool)] = [
            (KnownPerson(userID: "u-1"), KnownPerson(email: "lee@example.com"), false),
            (KnownPerson(email: "kim@example.com"), KnownPerson(userID: "u-2"), false),
            (KnownPerson(userID: "u-1"), KnownPerson(parties: [party]), false),
            (KnownPerson(userID: "u-1", parties: [party]), KnownPerson(parties: [party]), true),
            (KnownPerson(userID: "u-1", parties: [party]), KnownPerson(userID: "u-2", parties: [party]), false),
        ]
        for (first, second, isSame) in pairs {
            let app = try await app()
            try await app.client.logIn(first)
            let before = try await app.client.identity()
            try await app.client.logIn(second)
            #expect((try await app.client.identity().generation == before.generation) == isSame)
            await app.flush()
            let last = try #require(app.service.events.last { $0["eventType"] == "identity" })
            if !isSame { #expect(last["userId"] == second.userID && last["email"] == second.email) }
        }
    }

    @Test func `attributes of an anonymous person are reported, and removed by nil`() async throws {
        let app = try await app()
        try await app.client.setProfileAttributes(["tier": "gold", "city": "Berlin"])
        try await app.client.setProfileAttributes(["tier": "gold"])
        try await app.client.setProfileAttributes(["city": nil])
        await app.flush()
        let events = app.service.events.dropFirst()
        #expect(events.map { $0["isAnonymous"] } == ["1", "1"])
        #expect(events.map { $0["city"] } == ["Berlin", nil] && events.map { $0["tier"] } == ["gold", "gold"])
        await #expect(throws: PersonalizationError.self) { try await app.client.setProfileAttributes(["userId": "u"]) }
    }

    @Test func `a profile has one limit, however it grows`() async throws {
        let app = try await app()
        func names(_ range: Range<Int>) -> [String: String?] {
            Dictionary(uniqueKeysWithValues: range.map { ("a\($0)", "1") })
        }
        try await app.client.setProfileAttributes(names(0..<100))
        try await app.client.setProfileAttributes(names(100..<200))
        await #expect(throws: PersonalizationError.self) { try await app.client.setProfileAttributes(names(200..<201)) }
        // What is removed or replaced does not count twice.
        try await app.client.setProfileAttributes(names(0..<60).mapValues { _ in nil })
        try await app.client.setProfileAttributes(names(60..<160).mapValues { _ in "2" })
        let long = Dictionary(uniqueKeysWithValues: (0..<40).map { ("b\($0)", String(repeating: "x", count: 4_000)) })
        let error = await #expect(throws: PersonalizationError.self) {
            try await app.client.logIn(KnownPerson(userID: "u-1", attributes: long))
        }
        #expect(error?.code == .invalidValue)
        #expect(try await app.client.identity().userID == nil)
    }

    @Test func `device and person survive the end of the process`() async throws {
        let app = try await app()
        try await app.client.logIn(kim)
        let identity = try await app.client.identity()
        app.restart()
        #expect(try await app.client.identity() == identity)
        try await app.client.logIn(kim)
        await app.flush()
        #expect(app.service.events.filter { $0["eventType"] == "identity" }.count == 1)
    }

    @Test func `identity keeps its place among the other events`() async throws {
        let app = try await app()
        app.service.setOnline(false)
        try await app.client.track(.custom("before"))
        try await app.client.logIn(KnownPerson(userID: "u-1"))
        try await app.client.track(.custom("after"))
        try await app.client.logOut()
        try await app.client.track(.custom("anonymous"))
        await app.goOnline()
        #expect(app.service.kinds.dropFirst() == ["before", "identity", "after", "identity", "anonymous"])
    }

    @Test func `a log-in that cannot be stored holds, and is reported later`() async throws {
        let app = try TestApp()
        let storage = FailingStorage()
        app.storage = storage
        app.restart()
        try await app.client.setConsent(.optedIn)
        storage.fail(true)
        let error = await #expect(throws: PersonalizationError.self) { try await app.client.logIn(kim) }
        #expect(error?.code == .storage && error?.description.contains("disk is full") == true)
        #expect(try await app.client.identity().userID == "u-1001")
        storage.fail(false)
        await app.flush()
        app.restart()
        #expect(try await app.client.identity().userID == "u-1001")
        await app.flush()
        #expect(app.service.kinds.filter { $0 == "identity" }.count == 1)
        #expect(app.reports.all.contains { if case .stateNotStored = $0 { true } else { false } })
    }

    @Test func `what is not stored is not reported, so device and service agree after a kill`() async throws {
        let app = try TestApp()
        let storage = FailingStorage()
        app.storage = storage
        app.restart()
        try await app.client.setConsent(.optedIn)
        try await app.client.logIn(kim)
        await app.flush()
        let before = app.service.kinds
        storage.fail(true)
        await #expect(throws: PersonalizationError.self) { try await app.client.logOut() }
        await #expect(throws: PersonalizationError.self) { try await app.client.track(.custom("after")) }
        await app.flush()
        #expect(try await app.client.identity().userID == nil)
        #expect(app.service.kinds == before)
        storage.fail(false)
        app.restart()
        #expect(try await app.client.identity().userID == "u-1001")
    }

    @Test func `a kill between the state and the queue loses no identity`() async throws {
        let app = try TestApp()
        let store = FullEventStore()
        app.events = store
        app.restart()
        try await app.client.setConsent(.optedIn)
        await app.flush()
        store.allow(0)
        await #expect(throws: PersonalizationError.self) { try await app.client.logIn(kim) }
        store.allow(.max)
        app.restart()
        try await app.client.start()
        await app.flush()
        #expect(app.service.kinds.suffix(2) == ["identity", "contactPointEmail"])
        #expect(app.service.repeats == 0)
    }

    @Test func `a log-in waits whole for space in a full queue, and nobody takes the person for known`() async throws {
        let app = try TestApp {
            $0.delivery.limits.maximumEvents = 3
            $0.delivery.limits.overflow = .refuseNew
        }
        try await app.client.setConsent(.optedIn)
        await app.flush()
        app.service.setOnline(false)
        for name in ["a", "b"] { try await app.client.track(.custom(name)) }
        let error = await #expect(throws: PersonalizationError.self) { try await app.client.logIn(kim) }
        #expect(error?.code == .notKept && error?.detail.contains("no space") == true)
        #expect(await app.queue.status(of: "personalization")?.kept == 2)
        #expect(try await app.client.identity().userID == "u-1001")
        #expect(try await app.client.fetchDecisions(["home"]).source == .service)
        #expect(try await app.client.cachedDecisions(["home"]).source == .default)
        // The next process sends what is kept, although its start meets the full queue as well.
        app.restart()
        let start = await #expect(throws: PersonalizationError.self) { try await app.client.start() }
        #expect(start?.code == .notKept)
        await app.goOnline()
        try await app.client.start()
        await app.flush()
        #expect(app.service.kinds == ["Opt In", "a", "b", "identity", "contactPointEmail"])
        #expect(app.reports.dropped.isEmpty)
    }

    @Test func `a log-in that is too large for the queue is an error, and is sent when it fits`() async throws {
        let app = try TestApp { $0.delivery.limits.maximumEvents = 1 }
        let error = await #expect(throws: PersonalizationError.self) { try await app.client.logIn(kim) }
        #expect(error?.code == .notKept)
        #expect(await app.queue.status(of: "personalization")?.kept == 0)
        let kinds = app.reports.all.map {
            if case .notKept(let kind, let error) = $0 { kind + " \(error.code)" } else { "" }
        }
        #expect(kinds == ["identity notKept", "contactPointEmail notKept"])
        app.configuration.delivery.limits.maximumEvents = 10
        app.restart()
        try await app.client.start()
        #expect(await app.queue.status(of: "personalization")?.kept == 2)
    }

    @Test func `without a place for its id the device reports nothing`() async throws {
        let app = try TestApp()
        let storage = FailingStorage()
        storage.fail(true)
        app.storage = storage
        app.restart()
        let error = await #expect(throws: PersonalizationError.self) { try await app.client.track(.custom("a")) }
        #expect(error?.code == .storage)
        storage.fail(false)
        try await app.client.track(.custom("a"))
        let id = try await app.client.identity().deviceID
        app.restart()
        #expect(try await app.client.identity().deviceID == id)
    }
}
