import OptimizationSimulator
import PushDispatch
import Testing

/// Rules of audiences.
struct AudienceTests {
    @Test(arguments: [
        ("{trait: plan, equals: gold}", true), ("{trait: plan, equals: silver}", false),
        ("{trait: plan, in: [silver, gold]}", true), ("{trait: plan, exists: true}", true),
        ("{trait: nothing, exists: false}", true), ("{trait: nothing, equals: x}", false),
        ("{trait: age, greater: \"9\"}", true), ("{trait: age, less: \"9\"}", false),
        ("{trait: age, equals: \"42\"}", true),
        ("{trait: weight, equals: \"70\"}", true), ("{trait: member, equals: \"true\"}", true),
        ("{trait: age, greater: old}", false), ("{trait: address.city, equals: Graz}", true),
        ("{trait: a.b, equals: dotted}", true), ("{trait: list, exists: true}", false),
        ("{session: count, equals: \"1\"}", true), ("{session: isReturningVisitor, equals: \"false\"}", true),
        ("{session: landingPage.url, exists: true}", false), ("{location: city, exists: false}", true),
        ("{event: purchase, exists: true}", true), ("{event: purchase, equals: \"2\"}", true),
        ("{event: purchase, greater: \"1\"}", true), ("{event: refund, exists: false}", true),
        ("{event: refund, less: \"1\"}", true), ("{event: track, equals: \"2\"}", true),
        ("{event: page, exists: true}", false),
    ])
    func `a condition holds or not`(condition: String, holds: Bool) {
        var world = world("audiences: [{id: a, when: [\(condition)]}]")
        let traits: [String: JSONValue] = [
            "plan": "gold", "age": 42, "weight": .number(70.0), "member": .bool(true), "address": ["city": "Graz"],
            "a.b": "dotted", "list": [1],
        ]
        let answer = world.send(identify(1, "u", traits), track(2, "purchase"), track(3, "purchase"))
        #expect((answer.audiences == ["a"]) == holds)
    }

    @Test func `all conditions must hold, and each is explained`() {
        var world = world(
            "audiences: [{id: a, name: Both, when: [{trait: plan, equals: gold}, {event: visit, greater: \"2\"}]}]")
        _ = world.send(identify(1, "u", ["plan": "gold"]), track(2, "visit"))
        let reason = world.call("GET", "/api/profiles/p1")["reasons"][0]
        #expect(reason["in"] == .bool(false) && reason["name"] == "Both")
        #expect(
            reason["conditions"] == [
                ["condition": "trait plan equals gold", "value": "gold", "holds": .bool(true)],
                ["condition": "event visit greater than 2", "value": "1", "holds": .bool(false)],
            ])
        #expect(world.send(track(3, "visit"), track(4, "visit")).audiences == ["a"])
    }

    @Test func `names of events are bounded for each profile`() {
        var world = world("")
        for start in stride(from: 0, to: 300, by: 100) {
            let events = (start..<start + 100).map { track($0 + 1, "event-\($0)") }
            let body: JSONValue = ["events": .array(events.map { .object($0) })]
            #expect(world.call("POST", profiles + "/p1", text(body)).status == 200)
        }
        #expect(world.call("GET", "/api/profiles/p1")["events"].object?.count == OptimizationLimits.eventNames)
    }
}
