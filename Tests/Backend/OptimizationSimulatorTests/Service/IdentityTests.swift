import OptimizationSimulator
import PushDispatch
import Testing

/// Merging of identities.
struct IdentityTests {
    @Test func `an anonymous profile is merged into the one that has its user id`() {
        var world = world("audiences: [{id: buyers, when: [{event: purchase, greater: \"1\"}]}]")
        _ = world.send(identify(1, "u-1", ["plan": "gold", "name": "Kim"]), track(2, "purchase"), to: "phone")
        _ = world.send(identify(3, "", ["plan": "none", "browser": "x"]), track(4, "purchase"), to: "web")
        let answer = world.send(identify(5, "u-1"), to: "web")
        #expect(answer.profile["id"] == "phone" && answer.profile["stableId"] == "phone")
        #expect(answer.profile["traits"] == ["plan": "gold", "name": "Kim", "browser": "x"], "what was there stays")
        #expect(answer.audiences == ["buyers"], "the history is one")
        let read = world.call("GET", profiles + "/web")
        #expect(read.profile["id"] == "phone", "the former id leads to it")
        #expect(world.call("GET", "/api/profiles/web")["merged"] == ["web"])
        #expect(world.call("GET", "/api/profiles/u-1")["id"] == "phone", "by user id")
        #expect(world.call("GET", "/api/state")["profiles"] == 1)
        #expect(world.call("GET", "/api/events", query: "profile=web")["total"] == 5)
        #expect(world.send(event(6, "page"), to: "web").profile["id"] == "phone")
    }

    @Test func `two user ids are never one profile`() {
        var world = world("")
        _ = world.send(identify(1, "kim", ["name": "Kim"]))
        let other = world.send(identify(2, "lee", ["name": "Lee"]))
        #expect(other.profile["id"] != "p1" && other.profile["traits"] == ["name": "Lee"])
        #expect(world.call("GET", profiles + "/p1").profile["traits"] == ["name": "Kim"])
        let back = world.send(identify(3, "kim"), to: other.profile["id"].string)
        #expect(back.profile["id"] == "p1")
        #expect(world.call("GET", "/api/state")["profiles"] == 2, "both are still there")
    }

    @Test func `events of a request go to whom they were about`() {
        var world = world("")
        _ = world.send(identify(1, "kim"), track(2, "a"), identify(3, "lee"), track(4, "b"))
        #expect(world.call("GET", "/api/events", query: "profile=p1")["total"] == 2)
        #expect(world.call("GET", "/api/profiles/kim")["events"]["a"] == 1)
        #expect(world.call("GET", "/api/profiles/lee")["events"] == ["identify": 1, "track": 1, "b": 1])
    }

    @Test func `sticky variants of both are kept, and the older profile decides`() {
        // The distribution numbers of exp-1 differ for both profiles, so their variants do.
        var world = world(
            "", entries: text([experience("exp-1", shares: [.number(0.35), .number(0.65)], isSticky: true)]))
        let first = world.send(identify(1, "u"), to: "profile-2")
        #expect(first.variants == ["exp-1": 0])
        #expect(
            world.send(event(2, "page"), to: "profile-1").variants == ["exp-1": 1], "the test needs another variant")
        #expect(world.send(identify(3, "u"), to: "profile-1").variants == ["exp-1": 0])
    }

    @Test func `an alias joins like identify, and a user id can be given up by deleting the profile`() {
        var world = world("")
        _ = world.send(identify(1, "u"), to: "a")
        #expect(world.send(event(2, "alias", ["userId": "u"]), to: "b").profile["id"] == "a")
        #expect(world.call("DELETE", profiles + "/b").status == 200, "by the former id too")
        #expect(world.send(identify(3, "u"), to: "c").profile["id"] == "c")
        #expect(world.call("GET", profiles + "/a").status == 404)
    }

    @Test func `the ids of merged profiles are bounded, the oldest is forgotten`() {
        var world = world("")
        _ = world.send(identify(1, "u"), to: "main")
        for number in 0...OptimizationLimits.merged {
            _ = world.send(event(10 + number, "alias", ["userId": "u"]), to: "d\(number)")
        }
        #expect(world.call("GET", profiles + "/d0").status == 404)
        #expect(world.call("GET", profiles + "/d1").profile["id"] == "main")
    }
}
