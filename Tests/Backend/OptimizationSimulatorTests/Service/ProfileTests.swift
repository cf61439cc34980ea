import OptimizationSimulator
import PushDispatch
import ServiceHost
import Testing

/// Profiles: making, sessions, traits, audiences and what they get.
struct ProfileTests {
    private let gold = "audiences: [{id: gold, when: [{trait: plan, equals: gold}]}]"

    @Test func `a new profile gets an id, a random number and a session`() {
        var world = world("")
        let answer = world.send(event(1, "page"), to: nil)
        #expect(answer.status == 200 && answer["message"] == "ok" && answer["error"] == .null)
        let id = answer.profile["id"].string ?? ""
        #expect(UUIDText.isValid(id) && answer.profile["stableId"].string == id)
        #expect((answer.profile["random"].double).map { (0..<1).contains($0) } == true)
        let session = answer.profile["session"]
        #expect(session["count"] == 1 && session["isReturningVisitor"] == .bool(false))
        #expect(session["activeSessionLength"] == 0 && session["id"].string != nil)
        #expect(world.call("GET", profiles + "/" + id).profile == answer.profile)
    }

    @Test func `a profile that is not there is made by its path, and not read`() {
        var world = world("")
        #expect(world.call("GET", profiles + "/p1").code == "ERR_PROFILE_NOT_FOUND")
        #expect(world.send(event(1, "page")).profile["id"] == "p1")
        #expect(world.call("GET", profiles + "/p1").status == 200)
        #expect(world.call("DELETE", profiles + "/p1").status == 200)
        #expect(world.call("DELETE", profiles + "/p1").status == 404)
        #expect(world.call("GET", profiles + "/p1").code == "ERR_PROFILE_NOT_FOUND")
    }

    @Test func `traits are added, replaced and removed by null`() {
        var world = world("")
        _ = world.send(identify(1, "u", ["plan": "gold", "age": 7]))
        let answer = world.send(identify(2, "u", ["plan": "silver", "age": .null, "nested": ["a": [1]]]))
        #expect(answer.profile["traits"] == ["plan": "silver", "nested": ["a": [1]]])
    }

    @Test func `traits beyond the limits are left out and counted`() {
        var world = world("")
        let many = Dictionary(uniqueKeysWithValues: (0..<150).map { (String($0), JSONValue.integer(Int64($0))) })
        let long = JSONValue.string(String(repeating: "x", count: 20_000))
        let answer = world.send(identify(1, "u", many), identify(2, "u", ["0": long]))
        #expect(answer.profile["traits"].object?.count == OptimizationLimits.traits)
        #expect(answer.profile["traits"]["0"] == 0, "one that is too long changes nothing")
        #expect(world.call("GET", "/api/profiles/p1")["refused"] == 51)
    }

    @Test func `an audience follows the traits, and the variants follow the audience`() {
        var world = world(
            gold, entries: text([experience("exp", audience: "gold", shares: [0, 1])]))
        #expect(world.send(event(1, "page")).audiences == [])
        let answer = world.send(identify(2, "u", ["plan": "gold"]))
        #expect(answer.audiences == ["gold"] && answer.variants == ["exp": 1])
        let experience = answer["data"]["experiences"][0]
        #expect(experience["variants"] == ["hero": "hero-1"] && experience["sticky"] == .bool(false))
        let left = world.send(identify(3, "u", ["plan": "none"]))
        #expect(left.audiences == [] && left.variants == [:])
    }

    @Test func `a sticky variant stays when the audience no longer fits`() {
        var world = world(
            gold,
            entries: text([
                experience("stays", audience: "gold", shares: [0, 1], isSticky: true),
                experience("goes", audience: "gold", shares: [0, 1]),
            ]))
        #expect(world.send(identify(1, "u", ["plan": "gold"])).variants == ["stays": 1, "goes": 1])
        #expect(world.send(identify(2, "u", ["plan": "none"])).variants == ["stays": 1])
        #expect(world.call("GET", profiles + "/p1").variants == ["stays": 1])
        #expect(world.send(event(3, "page"), to: "p2").variants == [:], "another profile never had it")
    }

    @Test func `who is outside the traffic gets nothing, and the baseline is index 0`() {
        // The traffic number of exp-1 and profile-1 is 0.992…, that of profile-2 is 0.112….
        var world = world("", entries: text([experience("exp-1", traffic: .number(0.5), shares: [1, 0])]))
        #expect(world.send(event(1, "page"), to: "profile-1").variants == [:])
        let answer = world.send(event(2, "page"), to: "profile-2")
        #expect(answer.variants == ["exp-1": 0])
        #expect(answer["data"]["experiences"][0]["variants"] == [:])
    }

    @Test func `an audience that is not linked has no members`() {
        var value = experience("exp", shares: [0, 1]).object ?? [:]
        var fields = value["fields"]?.object ?? [:]
        fields["nt_audience"] = link("not-there")
        value["fields"] = .object(fields)
        var world = world("audiences: [{id: all}]", entries: text([.object(value)]))
        let answer = world.send(event(1, "page"))
        #expect(answer.audiences == ["all"] && answer.variants == [:])
    }

    @Test func `variables come as changes, of the baseline too, and the first experience with a key wins`() {
        func flag(_ baseline: JSONValue, _ variant: JSONValue) -> [JSONValue] {
            [
                [
                    "type": "InlineVariable", "key": "flag", "valueType": "Number", "baseline": ["value": baseline],
                    "variants": [["value": variant]],
                ]
            ]
        }
        var world = world(
            "",
            entries: text([
                experience("a", shares: [0, 1], components: flag(1, 2)),
                experience("b", shares: [1, 0], components: flag(3, 4)),
            ]))
        let answer = world.send(event(1, "page"))
        #expect(answer["data"]["changes"].array?.count == 1)
        #expect(
            answer["data"]["changes"][0] == [
                "key": "flag", "type": "Variable", "value": 2, "meta": ["experienceId": "a", "variantIndex": 1],
            ])
    }

    @Test func `a session ends after 30 minutes without an event, and a visitor who comes back is one who returns`() {
        var world = world("audiences: [{id: back, when: [{session: isReturningVisitor, equals: \"true\"}]}]")
        let page: [String: JSONValue] = ["context": ["page": ["url": "https://example.com/a"]]]
        let first = world.send(event(1, "page", page))
        #expect(first.profile["session"]["landingPage"] == ["url": "https://example.com/a"])
        world.advance("30m")
        let same = world.send(event(2, "page", ["context": ["page": ["url": "https://example.com/b"]]]))
        #expect(same.profile["session"]["count"] == 1 && same.profile["session"]["activeSessionLength"] == 1_800)
        #expect(same.profile["session"]["landingPage"]["url"] == "https://example.com/a" && same.audiences == [])
        world.advance("1801s")
        let next = world.send(event(3, "screen", ["name": "Home", "context": ["screen": ["name": "Home"]]]))
        #expect(next.profile["session"]["count"] == 2 && next.profile["session"]["isReturningVisitor"] == .bool(true))
        #expect(next.profile["session"]["id"] != first.profile["session"]["id"] && next.audiences == ["back"])
        #expect(next.profile["session"]["averageSessionLength"] == 900)
        #expect(next.profile["session"]["landingPage"] == ["name": "Home"])
    }

    @Test func `a preflight computes and stores nothing`() {
        var world = world(
            gold, entries: text([experience("exp", audience: "gold", shares: [0, 1], isSticky: true)]))
        _ = world.send(identify(1, "known", ["plan": "silver"]), to: "p0")
        let before = world.call("GET", "/api/profiles").text
        let answer = world.send(identify(2, "u", ["plan": "gold"]), query: "type=preflight")
        #expect(answer.audiences == ["gold"] && answer.variants == ["exp": 1])
        #expect(world.send(identify(3, "known"), to: "p9", query: "type=preflight").profile["id"] == "p0")
        #expect(world.call("GET", "/api/profiles").text == before)
        #expect(world.call("GET", "/api/events")["total"] == 1)
        #expect(world.call("GET", profiles + "/p1").status == 404)
        let again = world.send(identify(2, "u", ["plan": "gold"]))
        #expect(again.variants == ["exp": 1] && again.profile["random"] == answer.profile["random"])
    }

    @Test func `location comes from the event or the address, if the features ask for it`() {
        var world = world(
            "locations: {203.0.113.7: {city: Berlin, countryCode: DE}}\n"
                + "audiences: [{id: german, when: [{location: countryCode, in: [DE, AT]}]}]")
        let here: [String: JSONValue] = ["context": ["location": ["city": "Graz", "countryCode": "AT", "own": 1]]]
        let address = ["x-force-ip": "203.0.113.7"]
        #expect(world.send(event(1, "page", here), headers: address).profile["location"] == [:])
        let found = world.send(event(2, "page"), features: ["ip-enrichment"], headers: address)
        #expect(found.profile["location"] == ["city": "Berlin", "countryCode": "DE"] && found.audiences == ["german"])
        let told = world.send(event(3, "page", here), features: ["ip-enrichment", "location"], headers: address)
        #expect(told.profile["location"] == ["city": "Graz", "countryCode": "AT"])
    }

    @Test func `more profiles than fit are answered and not kept`() {
        var world = world("limits: {profiles: 2}")
        for name in ["a", "b", "c"] { #expect(world.send(event(1, "page"), to: name).status == 200) }
        #expect(world.call("GET", profiles + "/c").status == 404)
        let state = world.call("GET", "/api/state")
        #expect(state["profiles"] == 2 && state["dropped"]["profiles"] == 1)
    }

    @Test func `requests for one profile are limited by the minute where the document says so`() {
        var world = world("limits: {requests-per-profile: 2}")
        _ = world.send(event(1, "page"))
        _ = world.call("GET", profiles + "/p1")
        let refused = world.send(event(2, "page"))
        #expect(refused.status == 429 && refused.code == "ERR_PROFILE_OVERLOAD")
        #expect(refused.response.headers["retry-after"] == "30")
        #expect(world.send(event(3, "page"), to: "p2").status == 200, "another profile is not concerned")
        world.advance("30s")
        #expect(world.send(event(2, "page")).status == 200)
    }
}
