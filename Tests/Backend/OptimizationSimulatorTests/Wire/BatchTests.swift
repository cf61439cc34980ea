import OptimizationSimulator
import PushDispatch
import Testing

/// Many profiles in one request, and analytics.
struct BatchTests {
    private let batch = "/v2/organizations/org-1/environments/master/events"
    private let imports = "/v2/organizations/org-1/environments/master/import/events"

    private func body(_ events: [[String: JSONValue]]) -> String {
        text(["events": .array(events.map { .object($0) })])
    }

    private func named(_ event: [String: JSONValue], _ id: String) -> [String: JSONValue] {
        event.merging(["anonymousId": .string(id)]) { $1 }
    }

    @Test func `a batch is answered with its profiles in their order`() {
        var world = world("audiences: [{id: gold, when: [{trait: plan, equals: gold}]}]")
        let events = [
            named(event(1, "page"), "b"), named(identify(2, "u", ["plan": "gold"]), "a"), named(track(3, "x"), "b"),
        ]
        let answer = world.call("POST", batch, body(events))
        #expect(answer.status == 200)
        let found = answer["data"]["profiles"].array ?? []
        #expect(found.map { $0["id"] } == ["b", "a"] && found[1]["audiences"] == ["gold"])
        #expect(world.call("GET", "/api/events", query: "profile=b")["total"] == 2)
    }

    @Test func `a batch has limits`() {
        var world = world("")
        let many = (0..<201).map { named(event($0, "page"), "a") }
        #expect(world.call("POST", batch, body(many)).code == "ERR_INVALID_DATA")
        #expect(world.call("POST", batch, body(Array(many.prefix(200)))).status == 200)
        let people = (0..<51).map { named(event($0 + 300, "page"), "p\($0)") }
        #expect(world.call("POST", batch, body(people))["message"].string?.contains("51 profiles") == true)
        #expect(world.call("POST", batch, body(Array(people.prefix(50)))).status == 200)
        let names = (0..<51).map { named(identify($0 + 400, "u"), "p1") }
        #expect(world.call("POST", batch, body(names))["message"].string?.contains("51 identify") == true)
        #expect(world.call("POST", batch, body(Array(names.prefix(50)))).status == 200)
        #expect(world.call("POST", batch, body([event(1, "page")]))["message"].string?.contains("anonymousId") == true)
        #expect(world.call("POST", batch, body(many), headers: ["content-type": "text/plain"]).status == 400)
    }

    @Test func `an import is never refused, and what is wrong is counted`() {
        var world = world("")
        let events = [named(event(1, "page"), "a"), event(2, "page"), named(event(3, "nonsense"), "a")]
        #expect(world.call("POST", imports, body(events)).status == 200)
        #expect(world.call("POST", imports, "nonsense").status == 200)
        #expect(world.call("GET", "/api/state")["import-refused"] == 3)
        #expect(world.call("GET", "/api/events")["total"] == 1)
    }

    @Test func `views and taps are recorded by experience and variant`() {
        var world = world("", entries: text([experience("exp", shares: [0, 1])]))
        #expect(world.report(view(1, "exp", 1), view(2, "exp", 1, "component_click")).status == 204)
        #expect(world.report(view(3, "exp", 7), view(4, "other", 0)).status == 204)
        _ = world.send(view(5, "exp", 1))
        let variants = world.call("GET", "/api/experiences")["experiences"][0]["variants"]
        #expect(variants[1]["views"] == 2 && variants[1]["clicks"] == 1 && variants[0]["views"] == 0)
        #expect(world.call("GET", "/api/state")["engagement-without-experience"] == 2)
        #expect(world.call("GET", "/api/events", query: "queue=analytics")["total"] == 4)
        #expect(world.call("GET", "/api/events", query: "queue=profile&type=component")["total"] == 1)
        #expect(world.call("GET", "/api/events", query: "queue=nothing").status == 400)
    }

    @Test func `a view that goes on is one view`() {
        var world = world("", entries: text([experience("exp", shares: [0, 1])]))
        for (number, milliseconds) in [2_000, 7_000, 12_000].enumerated() {
            var event = view(number, "exp", 1)
            event["viewId"] = "the-same"
            event["viewDurationMs"] = .integer(Int64(milliseconds))
            world.report(event)
        }
        #expect(world.call("GET", "/api/experiences")["experiences"][0]["variants"][1]["views"] == 1)
        #expect(world.call("GET", "/api/events")["total"] == 3)
    }

    @Test func `an event that is sent again is counted once`() {
        var world = world("", entries: text([experience("exp", shares: [0, 1])]))
        world.report(view(1, "exp", 1))
        world.report(view(1, "exp", 1))
        _ = world.send(track(2, "buy"), track(2, "buy"))
        _ = world.send(track(2, "buy"))
        #expect(world.call("GET", "/api/profiles/p1")["events"]["buy"] == 1)
        let state = world.call("GET", "/api/state")
        #expect(state["repeats"] == 3 && state["events"] == 2)
        #expect(world.call("GET", "/api/experiences")["experiences"][0]["variants"][1]["views"] == 1)
    }

    @Test func `the share that each variant really got follows the profiles`() {
        var world = world(
            "audiences: [{id: gold, when: [{trait: plan, equals: gold}]}]",
            entries: text([experience("exp", audience: "gold")]))
        for number in 0..<40 {
            _ = world.send(identify(number, "u\(number)", ["plan": "gold"]), to: "p\(number)")
        }
        let one = world.call("GET", "/api/experiences")["experiences"][0]
        let counts = (one["variants"].array ?? []).compactMap { $0["profiles"].number }
        #expect(one["profiles"] == 40 && counts.reduce(0, +) == 40 && !counts.contains(0))
        #expect(one["variants"][1]["actual-share"].double == Double(counts[1]) / 40)
        _ = world.send(identify(100, "u0", ["plan": "none"]), to: "p0")
        _ = world.call("DELETE", profiles + "/p1")
        #expect(world.call("GET", "/api/experiences")["experiences"][0]["profiles"] == 38)
    }

    @Test func `analytics takes views, taps and hovers only`() {
        var world = world("")
        #expect(world.report(event(1, "page")).code == "ERR_INVALID_DATA")
        #expect(world.report(view(2, "exp", 0, "component_hover")).status == 204)
        let path = "/v1/organizations/org-1/environments/master/events"
        for body in [
            "[]", "{}", #"[{"events":[]}]"#, #"[{"profile":{},"events":[{}]}]"#,
            #"[{"profile":{"id":"p"},"events":[]}]"#,
        ] {
            #expect(world.call("POST", path, body).code == "ERR_INVALID_DATA", "\(body)")
        }
    }
}
