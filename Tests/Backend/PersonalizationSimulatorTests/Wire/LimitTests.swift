import PersonalizationSimulator
import PushDispatch
import ServiceHost
import Testing

/// Everything that a peer can send has a limit.
struct LimitTests {
    private func text(_ count: Int) -> JSONValue { .string(String(repeating: "x", count: count)) }

    @Test func `an event has at most 64 KiB, and names at most 255 bytes`() {
        var world = world(shop)
        #expect(world.send(event(1, "own", ["more": text(65_000)])).status == 204)
        let answer = world.send(event(2, "own", ["more": text(65_536)]))
        #expect(answer.status == 400 && answer["message"].string?.contains("65536") == true)
        for key in ["deviceId", "sessionId", "eventType", "interactionName", "personalizationId"] {
            #expect(world.send(event(3, "own", [key: text(256)])).status == 400, "\(key)")
        }
        #expect(world.send(logIn(4, user: String(repeating: "u", count: 256))).status == 400)
        #expect(world.send(logIn(5, email: String(repeating: "u", count: 256))).status == 400)
        #expect(world.send(logIn(6, user: "", email: "")).status == 204, "empty counts as missing")
    }

    @Test func `events are kept up to a number of bytes`() {
        var world = world("limits: {event-bytes: 2000}\n" + shop)
        for number in 1...5 { world.send(event(number, "own", ["more": text(600)])) }
        #expect(world.get("/api/state")["events"] == 2 && world.service.events.bytes <= 2_000)
        world.send(event(6, "own", ["more": text(5_000)]))
        #expect(world.get("/api/state")["events"] == 1, "the newest is always kept")
    }

    @Test func `attributes have limits by number, length and sum`() {
        var world = world(shop)
        var many: [String: JSONValue] = [:]
        for number in 0..<120 { many["a\(number)"] = 1 }
        world.send(logIn(1, user: "many", many))
        #expect(world.get("/api/individuals/many")["attributes"].object?.count == 100)
        world.send(
            logIn(
                2, on: "d-2", user: "long",
                ["long": text(4_097), "fits": text(4_096), String(repeating: "n", count: 256): "v"]))
        #expect(world.get("/api/individuals/long")["attributes"].object?.keys.sorted() == ["fits", "userId"])
        var large: [String: JSONValue] = [:]
        for number in 0..<9 { large["a\(number)"] = text(2_000) }
        world.send(logIn(3, on: "d-3", user: "large", large))
        #expect(world.get("/api/individuals/large")["attributes"].object?.count == 9, "8 of 2,002 bytes fit in 16 KiB")
        #expect(world.get("/api/state")["dropped"]["attributes"] == 24)
    }

    @Test func `a person lists 1,000 devices, and the others still belong to them`() {
        var world = world(shop)
        for batch in 0..<11 {
            let events = (0..<100).map { index in
                JSONValue.object(logIn(batch * 100 + index, on: "d-\(batch * 100 + index)", user: "u"))
            }
            let body: JSONValue = ["events": .array(events)]
            #expect(world.sendForm("event=" + formField(body.compactBytes)).status == 204)
        }
        let person = world.get("/api/individuals/u")
        #expect(person["device-ids"].array?.count == 1_000 && person["merged"].array?.count == 1_000)
        #expect(world.get("/api/individuals/d-0")["id"] == person["id"], "no longer listed")
        #expect(world.get("/api/state")["dropped"]["devices"] == 100)
    }

    @Test func `ids of joined individuals are forgotten above the limit of people`() {
        var world = world("limits: {people: 5}\n" + shop)
        for round in 0..<10 {
            let time = Int64(round * 10)
            world.send(logIn(round * 2, user: "u", at: time), logOut(round * 2 + 1, at: time + 5))
        }
        let state = world.get("/api/state")
        #expect(state["dropped"]["merged-ids"].number ?? 0 > 0)
        #expect(state["individuals"].number ?? 9 <= 5)
        #expect(world.get("/api/individuals/u").status == 200)
    }

    @Test func `experiments note a limited number of people`() {
        var world = world(
            """
            limits: {experiment-people: 3}
            points:
              - name: p
                decisions: [{id: a, content: {x: y}}]
                experiment: {id: e, shares: [{share: 1, decision: a}]}
            """)
        for number in 0..<5 { _ = world.decide("p", for: "d-\(number)") }
        #expect(world.get("/api/experiments")["experiments"][0]["people"]["a"] == 3)
        #expect(world.get("/api/state")["dropped"]["experiment-people"] == 2)
    }

    @Test func `devices that wait for a landing decision are limited`() {
        var world = world("limits: {people: 2}\n" + shop)
        for number in 0..<3 {
            world.send(
                event(number, "engagement", on: "d-\(number)", ["interactionName": "Push Notification Open"]))
        }
        for number in [1, 2, 0] { _ = world.decide("notification_landing_recs", for: "d-\(number)") }
        let opens = world.get("/api/decisions")["decisions"].array?.map { $0["opens"].number }
        #expect(opens == [1, 1, 0], "the first one waited no more")
    }

    @Test func `a device that waited before keeps its new place`() {
        var world = world("limits: {people: 2}\n" + shop)
        func open(_ number: Int, _ device: String) {
            world.send(event(number, "engagement", on: device, ["interactionName": "Push Notification Open"]))
        }
        open(1, "a")
        _ = world.decide("notification_landing_recs", for: "a")
        open(2, "b")
        open(3, "a")
        let answer = world.decide("notification_landing_recs", for: "a")
        let id = answer.personalizations[0]["personalizationId"]
        let record = world.get("/api/decisions")["decisions"].array?.first { $0["personalization-id"] == id }
        #expect(record?["opens"] == 1)
    }
}
