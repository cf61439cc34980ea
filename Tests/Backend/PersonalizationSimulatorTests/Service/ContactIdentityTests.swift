import PersonalizationSimulator
import PushDispatch
import Testing

/// Party identifications and contact points: they say more about the owner of a device, and never give it to another one.
struct ContactIdentityTests {
    private func party(
        _ number: Int, on device: String = "d-1", _ id: String = "003000000000001", name: String = "CRM Contact Id",
        type: String = "CRM", at seconds: Int64 = 0
    ) -> [String: JSONValue] {
        event(
            number, "partyIdentification", on: device, at: seconds,
            ["IDName": .string(name), "IDType": .string(type), "userId": .string(id)])
    }

    private func contact(
        _ number: Int, on device: String = "d-1", _ email: String, at seconds: Int64 = 0
    ) -> [String: JSONValue] {
        event(number, "contactPointEmail", on: device, at: seconds, ["email": .string(email)])
    }

    @Test func `the id of a party is no user id, and the device stays with who logged in`() {
        var world = world(shop)
        world.send(logIn(1, user: "u-1001"), party(2), view(3, "4", at: 1))
        let person = world.get("/api/individuals/d-1")
        #expect(person["id"] == "5e1d7a90c4b2f836" && person["user-id"] == "u-1001" && person["viewed"] == ["4"])
        #expect(person["attributes"]["userId"] == "u-1001" && person["attributes"]["IDName"] == "CRM Contact Id")
        #expect(world.decide("hero").attribute("title") == "Welcome back")
        #expect(world.get("/api/individuals/003000000000001").status == 404)
        #expect(world.get("/api/individuals")["total"] == 1)
    }

    @Test func `two devices with the same party identification are one person's`() {
        var world = world(shop)
        world.send(logIn(1, on: "phone", user: "u-1001"), party(2, on: "phone"))
        world.send(view(3, "2", on: "web"), party(4, on: "web"))
        let person = world.get("/api/individuals/web")
        #expect(person["id"] == "5e1d7a90c4b2f836" && person["device-ids"] == ["phone", "web"])
        #expect(person["viewed"] == ["2"] && person["joins"].array?.last?["by"] == "party")
        #expect(world.decide("hero", for: "web").attribute("title") == "Welcome back")
    }

    @Test func `an anonymous individual joins a known person who brings its party identification`() {
        var world = world(shop)
        world.send(party(1, on: "web"), view(2, "2", on: "web"))
        world.send(logIn(3, on: "phone", user: "u-7"), party(4, on: "phone"))
        let person = world.get("/api/individuals/web")
        #expect(person["user-id"] == "u-7" && person["viewed"] == ["2"])
        #expect(person["device-ids"].strings.sorted() == ["phone", "web"])
        #expect(world.get("/api/individuals")["total"] == 2, "Kim is the other one")
    }

    @Test func `type, name and id make a party identification together`() {
        var world = world(shop)
        world.send(party(1, on: "a", "11", name: "n", type: "t"))
        world.send(party(2, on: "b", "11", name: "other", type: "t"), party(3, on: "c", "11", name: "n", type: "other"))
        world.send(party(4, on: "d", "2", name: "n", type: "t"), party(5, on: "e", "1", name: "n1", type: "t"))
        #expect(world.get("/api/individuals/a")["device-ids"] == ["a"])
        world.send(party(6, on: "f", "11", name: "n", type: "t"))
        #expect(world.get("/api/individuals/a")["device-ids"] == ["a", "f"])
    }

    @Test func `two user ids with one party identification stay two people on their devices`() {
        var world = world(shop)
        world.send(logIn(1, on: "a", user: "u-a"), party(2, on: "a"))
        world.send(logIn(3, on: "b", user: "u-b"), party(4, on: "b"))
        #expect(world.get("/api/individuals/a")["user-id"] == "u-a")
        #expect(world.get("/api/individuals/b")["user-id"] == "u-b")
    }

    @Test func `a person known by a party identification only can log out`() {
        var world = world(shop)
        world.send(party(1), view(2, "1"), logOut(3, at: 10), view(4, "2", at: 11), party(5, "other", at: 12))
        #expect(world.get("/api/individuals/d-1")["viewed"] == ["2"])
        world.send(party(6, on: "d-2"))
        #expect(world.get("/api/individuals/d-2")["viewed"] == ["1"])
    }

    @Test func `party identifications beyond the limits are counted and do not join`() {
        var world = world("limits: {people: 3}\n" + shop)
        for number in 1...4 { world.send(party(number, "\(number)")) }
        #expect(world.get("/api/state")["dropped"]["party-identifications"] == 1)
        world.send(party(5, on: "d-2", "4"))
        #expect(world.get("/api/individuals/d-2")["device-ids"] == ["d-2"])
        world.send(party(6, on: "d-2", "3"))
        #expect(world.get("/api/individuals/d-2")["device-ids"] == ["d-1", "d-2"])
    }

    @Test func `a person has at most 100 party identifications`() {
        var world = world(shop)
        for number in 0...ServiceLimits.partiesPerPerson { world.send(party(number, "\(number)")) }
        #expect(world.get("/api/state")["dropped"]["party-identifications"] == 1)
        world.send(party(200, on: "d-2", "100"))
        #expect(world.get("/api/individuals/d-2")["device-ids"] == ["d-2"])
    }

    @Test func `a contact point does not give a device to the person who has its email`() {
        var world = world(shop)
        world.send(
            logIn(1, user: "u-new", email: "kim@example.com"), contact(2, "kim@example.com"), view(3, "3", at: 1))
        let person = world.get("/api/individuals/d-1")
        #expect(person["user-id"] == "u-new" && person["viewed"] == ["3"] && person["email"] == .null)
        #expect(world.decide("hero").attribute("title") == "Hello")
        #expect(world.get("/api/individuals/kim%40example.com")["user-id"] == "u-1001", "the email stays with Kim")
    }

    @Test func `a contact point of a person known by email changes no owner`() {
        var world = world(shop)
        world.send(logIn(1, email: "lee@example.com"), contact(2, "kim@example.com"))
        #expect(world.get("/api/individuals/d-1")["email"] == "lee@example.com")
        #expect(world.decide("hero").attribute("title") == "Hello")
        world.send(contact(3, "lee@example.org"))
        #expect(world.get("/api/individuals/d-1")["email"] == "lee@example.org", "a new address of the same person")
        #expect(world.get("/api/individuals")["total"] == 2)
    }

    @Test func `a contact point joins what may be one person's`() {
        var world = world(shop)
        world.send(logIn(1, on: "web", email: "lee@example.com"), view(2, "1", on: "web"))
        world.send(logIn(3, on: "phone", user: "u-7"), contact(4, on: "phone", "lee@example.com"))
        let person = world.get("/api/individuals/phone")
        #expect(person["user-id"] == "u-7" && person["email"] == "lee@example.com" && person["viewed"] == ["1"])
    }
}
