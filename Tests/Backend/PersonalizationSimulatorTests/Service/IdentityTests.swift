import PersonalizationSimulator
import PushDispatch
import TestSeeds
import Testing

/// Spec section 5: identity.
struct IdentityTests {
    @Test func `before log-in events are anonymous`() {
        var world = world(shop)
        world.send(view(1, "1"))
        let person = world.get("/api/individuals/d-1")
        #expect(person["id"] == "d-1" && person["device-ids"] == ["d-1"])
        #expect(person["user-id"] == .null && person["attributes"] == [:] && person["merged"] == [])
    }

    @Test func `anonymous to known: the device id stays`() {
        var world = world(shop)
        world.send(view(1, "1"))
        world.send(logIn(2, user: "u-7", email: "lee@example.com", ["firstName": "Lee"]))
        let person = world.get("/api/individuals/d-1")
        #expect(person["id"] == "d-1" && person["viewed"] == ["1"])
        #expect(person["attributes"] == ["userId": "u-7", "email": "lee@example.com", "firstName": "Lee"])
        #expect(world.get("/api/individuals/u-7")["id"] == "d-1")
        #expect(world.get("/api/individuals/lee%40example.com")["id"] == "d-1")
    }

    @Test func `the server joins the anonymous profile to the known one, history included`() {
        var world = world(shop)
        world.send(view(1, "1"), view(2, "3"))
        world.send(logIn(3, user: "u-1001", at: 10))
        let person = world.get("/api/individuals/d-1")
        #expect(person["id"] == "5e1d7a90c4b2f836" && person["merged"] == ["d-1"] && person["device-ids"] == ["d-1"])
        #expect(person["viewed"] == ["1", "3"] && person["attributes"]["tier"] == "gold")
        #expect(person["joins"][0]["individual"] == "d-1" && person["joins"][0]["event-id"] == .string(eventID(3)))
        #expect(world.get("/api/events", "individual=u-1001")["total"] == 3, "events before the log-in are its own")
        #expect(world.get("/api/individuals")["total"] == 1)
    }

    @Test func `the next decision uses the joined history`() {
        var world = world(shop)
        // Somebody else shows that 2 and 4 go together.
        world.send(view(1, "2", on: "x"), view(2, "4", on: "x"))
        world.send(view(3, "2"))
        #expect(world.decide("hero").attribute("title") == "Hello")
        world.send(logIn(4, user: "u-1001"))
        #expect(world.decide("hero").attribute("title") == "Welcome back")
        #expect(world.decide("together").skus == ["4", "1"])
    }

    @Test func `web and app that both send email and userId end in one profile`() {
        var world = world(shop)
        world.send(logIn(1, on: "web", email: "lee@example.com"), view(2, "1", on: "web"))
        world.send(logIn(3, on: "phone", user: "u-7"), view(4, "2", on: "phone"))
        #expect(world.get("/api/individuals/web")["id"] == "web")
        world.send(logIn(5, on: "phone", user: "u-7", email: "Lee@Example.com"))
        let person = world.get("/api/individuals/web")
        #expect(person["id"] == "phone" && person["merged"] == ["web"] && person["user-id"] == "u-7")
        #expect(person["device-ids"] == ["phone", "web"] && person["viewed"] == ["1", "2"])
    }

    @Test func `a known email joins`() {
        var world = world(shop)
        world.send(event(1, "contactPointEmail", ["email": "KIM@example.com"]))
        #expect(world.get("/api/individuals/d-1")["id"] == "5e1d7a90c4b2f836")
    }

    @Test func `log-out: back to anonymous with the same device id`() {
        var world = world(shop)
        world.send(logIn(1, user: "u-1001"), logOut(2, at: 10), view(3, "5", at: 11))
        let now = world.get("/api/individuals/d-1")
        #expect(now["user-id"] == .null && now["viewed"] == ["5"] && now["attributes"] == [:])
        #expect(world.decide("hero").attribute("title") == "Hello")
        #expect(world.get("/api/individuals/u-1001")["viewed"] == [])
    }

    @Test func `two users of one device stay two people`() {
        var world = world(shop)
        world.send(logIn(1, user: "a"), view(2, "1", at: 1))
        world.send(logIn(3, user: "b", at: 10), view(4, "2", at: 11))
        #expect(world.get("/api/individuals/a")["viewed"] == ["1"])
        #expect(world.get("/api/individuals/b")["viewed"] == ["2"])
        #expect(world.get("/api/individuals/d-1")["user-id"] == "b")
        #expect(world.get("/api/events", "individual=a")["total"] == 2)
        #expect(world.get("/api/events", "individual=b")["total"] == 2)
        world.send(logIn(5, user: "a", at: 20), view(6, "3", at: 21))
        #expect(world.get("/api/individuals/a")["viewed"] == ["1", "3"])
    }

    @Test func `anonymous browsing after a log-out belongs to whoever logs in next`() {
        var world = world(shop)
        world.send(logIn(1, user: "a"), logOut(2, at: 10), view(3, "4", at: 11), logIn(4, user: "b", at: 20))
        #expect(world.get("/api/individuals/b")["viewed"] == ["4"])
        #expect(world.get("/api/individuals/a")["viewed"] == [])
        #expect(world.get("/api/individuals/a")["id"] == "d-1")
    }

    @Test func `an event that was captured before the change of user stays with the previous one`() {
        var world = world(shop)
        world.send(logIn(1, user: "a"), logIn(2, user: "b", at: 100))
        world.send(view(3, "1", at: 50), logOut(4, at: 60), view(5, "2", at: 101))
        #expect(world.get("/api/individuals/a")["viewed"] == ["1"])
        #expect(world.get("/api/individuals/b")["viewed"] == ["2"])
    }

    @Test func `identity events that were captured before the first event of their device keep their effect`() {
        var world = world(shop)
        world.send(view(1, "1", at: 100))
        world.send(logIn(2, user: "a", at: 10), logOut(3, at: 20))
        #expect(world.get("/api/individuals/d-1")["user-id"] == .null)
        world.send(logIn(4, user: "b", at: 30))
        #expect(world.get("/api/individuals/d-1")["user-id"] == "b")
    }

    @Test func `an earlier event does not move the log-in of a known person back`() {
        var world = world(shop)
        world.send(logIn(1, user: "a", at: 100))
        world.send(view(2, "1", at: 10), logOut(3, at: 20))
        #expect(world.get("/api/individuals/d-1")["user-id"] == "a")
    }

    @Test func `an email of another user does not join two people`() {
        var world = world(shop)
        world.send(logIn(1, on: "x", user: "a", email: "shared@example.com"))
        world.send(logIn(2, on: "y", user: "b", email: "shared@example.com"))
        #expect(world.get("/api/individuals/x")["id"] == "x" && world.get("/api/individuals/y")["id"] == "y")
        #expect(world.get("/api/individuals/shared%40example.com")["id"] == "x")
    }

    @Test func `co-viewed counts after a join are those of one person`() {
        var world = world(shop)
        world.send(view(1, "1", on: "a"), view(2, "2", on: "a"), view(3, "1", on: "b"), view(4, "2", on: "b"))
        world.send(view(5, "1", on: "c"), view(6, "3", on: "c"), view(7, "1", on: "d"), view(8, "3", on: "d"))
        // Once a and b are one person, 1 with 2 has one person and 1 with 3 has two.
        world.send(logIn(9, on: "a", user: "u"), logIn(10, on: "b", user: "u"))
        #expect(world.decide("together", for: "x", context: ["anchorId": "1"]).skus == ["3", "2"])
        #expect(world.get("/api/individuals/a")["viewed"] == ["1", "2"])
    }

    @Test func `decisions of a joined individual are the person's`() {
        var world = world(shop)
        world.send(view(1, "1"))
        _ = world.decide("hero")
        world.send(logIn(2, user: "u-1001"))
        #expect(world.get("/api/decisions", "individual=u-1001")["total"] == 1)
        #expect(world.get("/api/decisions")["decisions"][0]["individual"] == "5e1d7a90c4b2f836")
    }

    @Test(arguments: TestSeed.all(1...60))
    func `joins keep every device, view and event, and two user ids are never one person`(seed: TestSeed) {
        var generator = seed.generator
        var world = world(shop)
        var views = 0
        for number in 0..<120 {
            let device = "d-\(Int.random(in: 0..<6, using: &generator))"
            let at = Int64.random(in: 0..<500, using: &generator)
            let users = ["a", "b", "c", nil], emails = ["x@example.com", "y@example.com", nil]
            switch Int.random(in: 0..<6, using: &generator) {
            case 0:
                world.send(
                    logIn(
                        number, on: device, user: users.randomElement(using: &generator)!,
                        email: emails.randomElement(using: &generator)!, at: at))
            case 1: world.send(logOut(number, on: device, at: at))
            case 2:
                let id = "\(Int.random(in: 0..<4, using: &generator))"
                world.send(
                    event(
                        number, "partyIdentification", on: device, at: at,
                        ["IDName": "n", "IDType": "t", "userId": .string(id)]))
            case 3:
                let email = emails.compactMap { $0 }.randomElement(using: &generator)!
                let before = world.get("/api/individuals/\(device)")["user-id"].string
                world.send(event(number, "contactPointEmail", on: device, at: at, ["email": .string(email)]))
                let after = world.get("/api/individuals/\(device)")["user-id"].string
                #expect(before == nil || before == after, "\(seed): a contact point gives no device away")
            default:
                views += 1
                world.send(view(number, "\(Int.random(in: 1...5, using: &generator))", on: device, at: at))
            }
        }
        let people = world.get("/api/individuals")["individuals"].array ?? []
        let users = people.compactMap { $0["user-id"].string }
        #expect(users.count == Set(users).count)
        let emails = people.compactMap { $0["email"].string }
        #expect(emails.count == Set(emails).count)
        let ids = people.flatMap { [$0["id"].string ?? ""] + $0["merged"].strings }
        #expect(ids.count == Set(ids).count, "an individual is one person or was joined to one")
        for person in people {
            guard let user = person["user-id"].string else { continue }
            #expect(world.get("/api/individuals/\(user)")["id"] == person["id"])
        }
        let kept = world.service.individuals[0].people
        for entry in world.service.events.entries {
            let owner = world.service.individuals[0].owner(of: entry.event.deviceID, at: entry.event.time)
            #expect(owner.flatMap { kept[$0] } != nil, "each event has an owner")
        }
        #expect(world.service.events.entries.count == 120)
        let viewed = kept.values.flatMap(\.viewed)
        #expect(viewed.count <= views && (viewed.isEmpty == (views == 0)))
        for device in Set(world.service.events.entries.map(\.event.deviceID)) {
            let owner = world.get("/api/individuals/\(device)")
            #expect(owner["device-ids"].strings.contains(device), "\(seed)")
        }
    }
}
