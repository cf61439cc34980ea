import PersonalizationSimulator
import PushDispatch
import ServiceHost
import Testing

/// The control API of the contract.
struct ControlTests {
    @Test func `health tells the app's source id`() {
        var world = world("app-source-id: 11111111-2222-4333-8444-555555555555\n" + shop)
        let health = world.get("/health")
        #expect(health["status"] == "ok" && health["dataspace"] == "default")
        #expect(health["app-source-id"] == "11111111-2222-4333-8444-555555555555")
    }

    @Test func `decisions are listed with what became of them`() {
        var world = world(shop)
        let answer = world.decide("recs", "hero")
        let list = world.get("/api/decisions")
        #expect(list["total"] == 2 && list["credits"] == 2)
        let record = list["decisions"][0]
        #expect(record["request-id"] == answer["requestId"] && record["point"] == "recs")
        #expect(record["personalization-id"] == answer.personalizations[0]["personalizationId"])
        #expect(record["individual"] == "d-1" && record["source"] == "priority" && record["items"] == ["1", "2", "3"])
        for key in ["impressions", "clicks", "dismissals", "opens"] { #expect(record[key] == 0) }
        #expect(world.get("/api/decisions", "point=hero")["total"] == 1)
        #expect(world.get("/api/decisions", "limit=1")["decisions"].array?.count == 1)
        #expect(world.get("/api/decisions", "limit=x").status == 400)
    }

    @Test func `events are filtered by type, person and decision`() {
        var world = world(shop)
        let id = world.decide("recs").personalizations[0]
        world.send(view(1, "1"), view(2, "1", on: "d-2"), engagement(3, "View", id), logIn(4, on: "d-2", user: "u"))
        #expect(world.get("/api/events", "type=catalog")["total"] == 2)
        #expect(world.get("/api/events", "individual=d-2")["total"] == 2)
        #expect(world.get("/api/events", "individual=u&type=identity")["total"] == 1)
        #expect(world.get("/api/events", "individual=nobody")["total"] == 0)
        let limited = world.get("/api/events", "limit=1")
        #expect(limited["total"] == 4 && limited["events"].array?.count == 1)
    }

    @Test func `a fault answers with a status as often as it says`() {
        var world = world(shop)
        let added = world.control(
            "POST", "/api/faults", #"{"match":{"path":"decisions"},"effect":{"status":503},"count":2}"#)
        #expect(added.status == 201 && added["id"] == "fault-1")
        #expect(world.send(view(1, "1")).status == 204, "events are not matched")
        let answer = world.decide("hero")
        #expect(answer.status == 503 && answer.personalizations.isEmpty && answer.codes == [503])
        #expect(world.get("/api/faults")["faults"][0]["count"] == 1)
        #expect(world.decide("hero").status == 503)
        #expect(world.decide("hero").status == 200)
        #expect(world.get("/api/faults")["faults"] == [])
        #expect(world.get("/api/decisions")["credits"] == 1, "a failed request costs nothing")
    }

    @Test func `a lost answer took effect, silence did not`() {
        var world = world(shop)
        func outcome(_ effect: String) -> ServiceWorld.Outcome {
            _ = world.control("POST", "/api/faults", #"{"match":{"path":"events"},"effect":\#(effect),"count":1}"#)
            let batch: JSONValue = ["events": [.object(view(1, "1"))]]
            return world.answer(
                ServiceRequest(
                    "POST", "/web/events/\(world.source)",
                    headers: ["content-type": "application/x-www-form-urlencoded"],
                    body: Array(("event=" + formField(batch.compactBytes)).utf8)), real: 0)
        }
        #expect(outcome(#"{"silence":true}"#).delivery == .silent)
        #expect(world.get("/api/events")["total"] == 0)
        #expect(outcome(#"{"lose-answer":true}"#).delivery == .lost)
        #expect(world.get("/api/events")["total"] == 1)
        let delayed = outcome(#"{"delay":"2s"}"#)
        #expect(delayed.delay == 2_000 && delayed.delivery == .answered && delayed.response.status == 204)
        #expect(world.get("/api/events")["repeats"] == 1, "sent again after a lost answer, counted once")
    }

    @Test func `faults are removed one by one or all`() {
        var world = world("faults: [{effect: {status: 500}}, {effect: {delay: 5ms}, match: {path: events}}]\n" + shop)
        #expect(world.get("/api/faults")["faults"].array?.map { $0["id"] } == ["fault-1", "fault-2"])
        #expect(world.control("DELETE", "/api/faults/fault-1").status == 204)
        #expect(world.control("DELETE", "/api/faults/fault-1").status == 404)
        #expect(world.control("DELETE", "/api/faults").status == 204)
        #expect(world.get("/api/faults")["faults"] == [])
    }

    @Test(arguments: [
        #"{}"#, #"[]"#, #"{"effect":{}}"#, #"{"effect":{"status":200}}"#, #"{"effect":{"status":503,"delay":"1s"}}"#,
        #"{"effect":{"sleep":1}}"#, #"{"effect":{"silence":false}}"#, #"{"effect":{"delay":"2h"}}"#,
        #"{"effect":{"status":503},"count":0}"#, #"{"effect":{"status":503},"match":{"path":"all"}}"#,
        #"{"effect":{"status":503},"often":1}"#, "nonsense", "",
    ])
    func `an invalid fault is refused with problem details`(body: String) {
        var world = world(shop)
        let answer = world.control("POST", "/api/faults", body)
        #expect(answer.status == 400 && answer["detail"].string?.isEmpty == false)
        #expect(answer.response.headers["content-type"] == "application/problem+json")
    }

    @Test func `the clock is set, moved and becomes real again`() {
        var world = world(shop)
        #expect(world.get("/api/clock").json == ["mode": "manual", "now": "2026-05-08T09:15:30.120Z"])
        #expect(world.control("POST", "/api/clock/advance", #"{"by":"601s"}"#)["now"] == "2026-05-08T09:25:31.120Z")
        #expect(
            world.control("PUT", "/api/clock", #"{"now":"2026-01-01T00:00:00Z"}"#)["now"] == "2026-01-01T00:00:00.000Z")
        #expect(
            world.control("PUT", "/api/clock", #"{"mode":"real"}"#).json == [
                "mode": "real", "now": "1970-01-01T00:00:00.000Z",
            ])
        #expect(world.control("POST", "/api/clock/advance", #"{"by":"soon"}"#).status == 400)
        #expect(world.control("PUT", "/api/clock", #"{"mode":"fast"}"#).status == 400)
    }

    @Test func `a reset brings everything back to the start`() {
        var world = world(shop)
        let first = world.decide("hero").text
        world.send(logIn(1, user: "u"))
        _ = world.control("POST", "/api/clock/advance", #"{"by":"1d"}"#)
        _ = world.control("POST", "/api/faults", #"{"effect":{"status":503}}"#)
        #expect(world.control("POST", "/api/reset").status == 204)
        #expect(world.get("/api/state")["individuals"] == 1 && world.get("/api/decisions")["credits"] == 0)
        #expect(world.decide("hero").text == first, "the same ids again")
    }

    @Test func `unknown paths and methods are told apart`() {
        var world = world(shop)
        #expect(world.get("/nothing").status == 404)
        #expect(world.get("/api/decision").status == 404)
        let method = world.control("DELETE", "/api/decisions")
        #expect(method.status == 405 && method.response.headers["allow"] == "GET")
        #expect(world.get("/api/events", "typ=catalog").status == 400)
        #expect(world.get("/personalization/decisions").status == 405)
    }
}
