import PersonalizationSimulator
import PushDispatch
import ServiceHost
import Testing

/// Spec sections 1 and 2: requests, phases and replies.
struct DecisionTests {
    @Test(arguments: ["/personalization/decisions", "/personalization/v1/decisions"])
    func `apps and sites need no sign-on`(path: String) {
        var world = world(shop)
        let body = #"{"context":{"individualId":"d"},"personalizationPoints":[{"name":"hero"}]}"#
        let answer = world.post(body, to: path)
        #expect(answer.status == 200 && answer.pointNames == ["hero"])
        #expect(answer.response.headers["content-type"] == "application/json;charset=UTF-8")
    }

    @Test(arguments: ["/personalization/authenticated/decisions", "/personalization/v1/authenticated/decisions"])
    func `servers and tests send a bearer token`(path: String) {
        var world = world(shop)
        let body = Array(#"{"context":{"individualId":"d"},"personalizationPoints":[{"name":"hero"}]}"#.utf8)
        var request = ServiceRequest("POST", path, headers: ["content-type": "application/json"], body: body)
        #expect(world.answer(request, real: 0).response.status == 401)
        request.headers["authorization"] = "Bearer wrong"
        #expect(world.answer(request, real: 0).response.status == 401)
        request.headers.merge(world.bearer) { $1 }
        #expect(world.answer(request, real: 0).response.status == 200)
    }

    @Test func `fixed content gives its string values, a recommender gives items`() throws {
        var world = world(shop)
        let answer = world.decide("hero", "recs")
        #expect(answer.personalizations[0]["attributes"] == ["title": "Hello"])
        #expect(answer.personalizations[0]["data"] == [])
        #expect(answer.personalizations[1]["attributes"] == ["title": "Picked for you"])
        #expect(answer.personalizations[1]["data"].array?.count == 3)
        #expect(answer.personalizations[1]["data"][0]["price"] == "49.50", "values in data are strings, prices too")
    }

    @Test func `a reply has the keys of the reference, with ids in their forms`() throws {
        var world = world(shop)
        let answer = world.decide("recs")
        let element = try #require(answer.personalizations.first)
        let id = try #require(element["personalizationId"].string)
        #expect(UUIDText.isValid(id) && UUIDText.isValid(answer["requestId"].string ?? ""))
        #expect(element["personalizationPointId"].string?.hasPrefix("9pp") == true)
        #expect(element["personalizationPointId"].string?.count == 18)
        #expect(element["decisionId"].string?.hasPrefix("9pb") == true)
        #expect(element["data"][2]["personalizationContentId"].string == "\(id):2", "index from 0")
        #expect(
            Set(element.object?.keys ?? [:].keys) == [
                "personalizationId", "personalizationPointId", "personalizationPointName", "decisionId", "attributes",
                "data",
            ])
        #expect(answer.text.hasPrefix(#"{"requestId":""#))
    }

    @Test func `requestId is shared by all points of the request, each decision has its own id`() {
        var world = world(shop)
        let first = world.decide("hero", "recs")
        let second = world.decide("hero")
        let ids = (first.personalizations + second.personalizations).compactMap { $0["personalizationId"].string }
        #expect(Set(ids).count == 3 && first["requestId"] != second["requestId"])
    }

    @Test func `in the guide's form an element has request, person, data space and item type`() throws {
        var world = world("reply: guide\n" + shop)
        let answer = world.decide("hero", "recs", for: "5e1d7a90c4b2f836")
        let recs = answer.personalizations[1]
        #expect(recs["requestId"] == answer["requestId"] && recs["individualId"] == "5e1d7a90c4b2f836")
        #expect(recs["dataSpace"] == "default" && recs["dmoName"] == "ssot__GoodsProduct__dlm")
        #expect(answer.personalizations[0]["dmoName"] == .null)
    }

    @Test func `decisions go by priority: the first whose conditions hold`() {
        var world = world(shop)
        #expect(world.decide("hero", for: "5e1d7a90c4b2f836").attribute("title") == "Welcome back")
        #expect(world.decide("hero", for: "somebody-else").attribute("title") == "Hello")
    }

    @Test func `no profile means a first-time anonymous visitor`() {
        var world = world(shop)
        let answer = world.decide("hero", for: "never-seen")
        #expect(answer.status == 200 && answer.attribute("title") == "Hello")
        #expect(world.get("/api/individuals/never-seen").status == 404, "a decision makes nobody known")
    }

    @Test func `a point whose decisions do not qualify is not among the answers`() {
        var world = world(shop)
        let answer = world.decide("nobody", "hero")
        #expect(answer.status == 200 && answer.pointNames == ["hero"])
    }

    @Test func `context wins over events and profile`() {
        var world = world(shop)
        let answer = world.decide("hero", for: "5e1d7a90c4b2f836", context: ["tier": "silver"])
        #expect(answer.attribute("title") == "Hello")
        #expect(world.decide("hero", for: "x", context: ["tier": "gold"]).attribute("title") == "Welcome back")
    }

    @Test func `each point in a request costs one credit`() {
        var world = world(shop)
        _ = world.decide("hero", "recs", "together")
        _ = world.decide("hero", "unknown", "loyalty_hero")
        #expect(world.get("/api/decisions")["credits"] == 6)
        _ = world.post(#"{"context":{},"personalizationPoints":[{"name":"hero"}]}"#)
        #expect(world.get("/api/decisions")["credits"] == 6, "a refused request costs nothing")
    }

    @Test func `a point with another graph is skipped, not failed`() {
        var world = world(shop)
        let answer = world.decide("hero", "loyalty_hero", "recs", flags: ["EnableDiagnostics"], isSignedOn: true)
        #expect(answer.status == 200 && answer.pointNames == ["hero", "recs"])
        #expect(answer.codes == [200, 405, 200])
        #expect(world.decide("loyalty_hero", "hero").pointNames == ["loyalty_hero"], "the first point's graph counts")
    }

    @Test func `a point can be set to need sign-on`() {
        var world = world(shop)
        #expect(world.decide("members_only", "hero").pointNames == ["hero"])
        #expect(world.decide("members_only", "hero", isSignedOn: true).pointNames == ["members_only", "hero"])
    }

    @Test func `a client with several graphs sends one request per graph`() {
        var world = world(shop)
        let names = world.decide("hero", "recs").pointNames + world.decide("loyalty_hero").pointNames
        #expect(names == ["hero", "recs", "loyalty_hero"])
    }

    @Test func `decisionId picks one decision for a test and is allowed only with sign-on`() {
        var world = world(shop)
        let body =
            #"{"context":{"individualId":"d"},"personalizationPoints":[{"name":"hero","decisionId":"gold"}]}"#
        let refused = world.post(body)
        #expect(refused.status == 400 && refused.codes == [408])
        #expect(world.post(body, isSignedOn: true).attribute("title") == "Welcome back")
        let unknown = world.post(body.replacing("gold", with: "9pb-unknown"), isSignedOn: true)
        #expect(unknown.status == 200 && unknown.personalizations.isEmpty)
        #expect(world.get("/api/diagnostics")["diagnostics"].array?.map { $0["code"] } == [407])
    }

    @Test func `a decision's own id picks it as well`() throws {
        var world = world(shop)
        let id = try #require(world.decide("hero").personalizations[0]["decisionId"].string)
        let body = #"{"context":{"profileId":"a-1"},"personalizationPoints":[{"name":"hero","decisionId":"\#(id)"}]}"#
        #expect(world.post(body, isSignedOn: true).attribute("title") == "Hello")
    }

    @Test func `a point is found by its id`() throws {
        var world = world(shop)
        let id = try #require(world.decide("recs").personalizations[0]["personalizationPointId"].string)
        let answer = world.post(
            #"{"context":{"individualId":"d"},"personalizationPoints":[{"id":"\#(id)"}]}"#)
        #expect(answer.pointNames == ["recs"])
    }

    @Test func `profile gives the profile and skips the look-up`() {
        var world = world(shop)
        let body = #"""
            {"context":{"individualId":"5e1d7a90c4b2f836"},"personalizationPoints":[{"name":"hero"}],"profile":{"tier":"none"}}
            """#
        #expect(world.post(body).attribute("title") == "Hello")
    }

    @Test func `TestMode records nothing, ContextOnly looks up no profile`() {
        var world = world(shop)
        #expect(world.decide("hero", flags: ["TestMode"]).pointNames == ["hero"])
        #expect(world.get("/api/decisions")["total"] == 0)
        let answer = world.decide("hero", for: "5e1d7a90c4b2f836", flags: ["ContextOnly"])
        #expect(answer.attribute("title") == "Hello")
    }

    @Test func `campaign parameters are read from requestUrl`() {
        var world = world(
            """
            points:
              - name: hero
                decisions:
                  - {id: spring, when: [{context: utm_campaign, equals: spring sale}], content: {title: Spring}}
                  - {id: all, content: {title: Hello}}
            """)
        let url = "https://www.example.com/landing?utm_campaign=spring+sale#top"
        #expect(world.decide("hero", context: ["requestUrl": .string(url)]).attribute("title") == "Spring")
        #expect(
            world.decide("hero", context: ["requestUrl": .string(url), "utm_campaign": "other"]).attribute("title")
                == "Hello", "the context's own key wins")
        #expect(world.decide("hero", context: ["requestUrl": "%?%zz=%ff&=&&a"]).attribute("title") == "Hello")
    }

    @Test func `more than 60,000 recommendation requests a minute are refused`() {
        var world = world("limits: {requests-per-minute: 3}\n" + shop)
        #expect(ServiceLimits().requestsPerMinute == 60_000)
        #expect((0..<3).allSatisfy { _ in world.decide("hero").status == 200 })
        let refused = world.decide("hero")
        #expect(refused.status == 429 && refused.codes == [406])
        _ = world.control("POST", "/api/clock/advance", #"{"by":"1m"}"#)
        #expect(world.decide("hero").status == 200)
    }

    @Test func `the same requests get the same replies, with another seed other ids`() {
        func run(_ seed: UInt64) -> [String] {
            var world = world(shop, seed: seed)
            return [world.decide("hero", "recs").text, world.send(logIn(1, user: "u")).text, world.decide("hero").text]
        }
        #expect(run(7) == run(7))
        #expect(run(7) != run(8))
    }
}
