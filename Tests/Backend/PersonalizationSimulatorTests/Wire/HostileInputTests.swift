import PersonalizationSimulator
import PushDispatch
import ServiceHost
import TestSeeds
import Testing

/// Requests of other shapes: each gets an answer, and nothing traps.
struct HostileInputTests {
    @Test(arguments: ["individualId", "contextData"])
    func `the older sketch with individualId and contextData at the top level is refused with a diagnostic`(key: String)
    {
        var world = world(shop)
        let answer = world.post(#"{"\#(key)":"d","personalizationPoints":[{"name":"hero"}]}"#)
        #expect(answer.status == 400 && answer["diagnostics"][0]["code"] == 400)
        #expect(answer["diagnostics"][0]["description"].string?.contains("older sketch") == true)
        #expect(answer["personalizations"] == [] && answer["requestId"].string != nil)
    }

    @Test(arguments: [
        "", "null", "[]", "{", "{}", #"{"context":{}}"#, #"{"context":{"individualId":"d"}}"#,
        #"{"context":{"individualId":"d"},"personalizationPoints":[]}"#,
        #"{"context":{"individualId":"d"},"personalizationPoints":{}}"#,
        #"{"context":{"individualId":"d"},"personalizationPoints":["hero"]}"#,
        #"{"context":{"individualId":"d"},"personalizationPoints":[{"name":""}]}"#,
        #"{"context":{"individualId":"d"},"personalizationPoints":[{"name":{}}]}"#,
        #"{"context":{"individualId":{}},"personalizationPoints":[{"name":"hero"}]}"#,
        #"{"context":{"individualId":"d","x":[]},"personalizationPoints":[{"name":"hero"}]}"#,
        #"{"context":{"individualId":"d","dataspace":"other"},"personalizationPoints":[{"name":"hero"}]}"#,
        #"{"context":[],"personalizationPoints":[{"name":"hero"}]}"#,
        #"{"context":{"individualId":"d"},"personalizationPoints":[{"name":"hero"}],"executionFlags":"TestMode"}"#,
        #"{"context":{"individualId":"d"},"personalizationPoints":[{"name":"hero"}],"profile":[]}"#,
    ])
    func `a decision request of another shape gets 400 with a diagnostic`(body: String) {
        var world = world(shop)
        let answer = world.post(body)
        #expect(answer.status == 400 && answer.codes == [400])
    }

    @Test func `what is too long or too much gets 400`() {
        var world = world(shop)
        let long = String(repeating: "x", count: 256)
        let point = #"{"name":"hero"}"#
        func request(_ context: String, _ points: String) -> Int {
            world.post(#"{"context":{"individualId":"d"\#(context)},"personalizationPoints":[\#(points)]}"#).status
        }
        #expect(request("", point) == 200)
        #expect(request("", #"{"name":"\#(long)"}"#) == 400)
        #expect(request(#","anchorId":"\#(long)""#, point) == 400)
        #expect(request(#","\#(long)":"v""#, point) == 400)
        #expect(request(#","k":"\#(String(repeating: "x", count: 4_097))""#, point) == 400)
        #expect(request((0..<101).map { #","k\#($0)":1"# }.joined(), point) == 400)
        #expect(request("", Array(repeating: point, count: 100).joined(separator: ",")) == 200)
        #expect(request("", Array(repeating: point, count: 101).joined(separator: ",")) == 400)
        #expect(world.post(String(repeating: " ", count: ServiceLimits.body + 1)).status == 400)
        #expect(world.post(String(repeating: "[", count: 100_000)).status == 400)
    }

    @Test func `unknown keys and flags are left alone`() {
        var world = world(shop)
        let answer = world.post(
            #"""
            {"context":{"individualId":7,"x":null,"y":1.5,"z":true},"personalizationPoints":[{"name":"hero","more":1}],
             "executionFlags":["Other",1],"profile":null,"extra":{}}
            """#)
        #expect(answer.status == 200 && answer.pointNames == ["hero"])
    }

    @Test func `the Content-Type is checked`() {
        var world = world(shop)
        let body = Array(#"{"context":{"individualId":"d"},"personalizationPoints":[{"name":"hero"}]}"#.utf8)
        var request = ServiceRequest("POST", "/personalization/decisions", body: body)
        #expect(world.answer(request, real: 0).response.status == 400)
        request.headers["content-type"] = "Application/JSON; charset=UTF-8"
        #expect(world.answer(request, real: 0).response.status == 200)
    }

    @Test(arguments: [
        "", "event", "event=", "event=%", "event=%zz", "event=!!!!", "event=e30", "event=e30%3D", "events=e30%3D",
        "event=bnVsbA%3D%3D", "event=W10%3D",
    ])
    func `a form of another shape gets 400`(body: String) {
        var world = world(shop)
        let answer = world.sendForm(body)
        #expect(answer.status == 400 && answer["message"].string?.isEmpty == false)
    }

    @Test func `a batch has at most 1,000 events`() {
        var world = world(shop)
        let events = (0...1_000).map { JSONValue.object(view($0, "1")) }
        func send(_ events: [JSONValue]) -> Answer {
            world.sendForm("event=" + formField(JSONValue.object(["events": .array(events)]).compactBytes))
        }
        #expect(send(events).status == 400)
        #expect(send(Array(events.dropLast())).status == 204)
        #expect(world.get("/api/events", "limit=0")["total"] == 1_000)
    }

    @Test(arguments: TestSeed.all(1...40))
    func `random requests never trap and always have an answer`(seed: TestSeed) {
        var generator = seed.generator
        var world = world("limits: {events: 50, decisions: 50, people: 20}\n" + shop)
        let words = [
            "", "d-1", "hero", "recs", "together", "1", "u-1001", "kim@example.com", "identity", "catalog",
            "engagement", "View Product Recommendation", "Push Notification Open", "Engagement", "Profile", "0",
            "2026-05-08T09:15:30.120Z", eventID(1), "\u{0}", "%00", "é", "9999999999999999999", "-1", ":0",
        ]
        let keys = [
            "context", "individualId", "dataspace", "anchorId", "personalizationPoints", "name", "id", "decisionId",
            "profile", "executionFlags", "events", "eventId", "dateTime", "deviceId", "sessionId", "eventType",
            "category", "interactionName", "personalizationId", "personalizationContentId", "isAnonymous", "userId",
            "email", "type", "effect", "match", "status", "count", "by", "mode", "now", "tier", "requestUrl",
        ]
        let paths = [
            "/personalization/decisions", "/personalization/authenticated/decisions", "/web/events/\(world.source)",
            "/server/events/\(world.source)", "/server/events/", "/api/faults", "/api/clock", "/api/clock/advance",
            "/api/events", "/api/decisions", "/api/individuals/d-1", "/api/individuals/%", "/api/reset", "/health", "",
            "/api/diagnostics", "/api/experiments", "/api/state",
        ]
        func value(_ depth: Int) -> JSONValue {
            switch Int.random(in: 0..<(depth > 3 ? 5 : 9), using: &generator) {
            case 0: return .null
            case 1: return .bool(Bool.random(using: &generator))
            case 2: return .integer(Int64.random(in: .min ... .max, using: &generator))
            case 3, 4: return .string(words.randomElement(using: &generator)!)
            case 5:
                return .array((0..<Int.random(in: 0..<4, using: &generator)).map { _ in value(depth + 1) })
            default:
                return .object(
                    Dictionary(
                        (0..<Int.random(in: 0..<8, using: &generator)).map { _ in
                            (keys.randomElement(using: &generator)!, value(depth + 1))
                        }, uniquingKeysWith: { $1 }))
            }
        }
        for number in 0..<300 {
            var body = value(0)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                body = [
                    "context": .object((value(0).object ?? [:]).merging(["individualId": "d-1"]) { $1 }),
                    "personalizationPoints": [
                        ["name": "together"], ["name": .string(words.randomElement(using: &generator)!)],
                    ],
                ]
            case 1:
                var common = event(number % 200, words.randomElement(using: &generator)!)
                for (key, value) in value(0).object ?? [:] { common[key] = value }
                body = ["events": [.object(common)]]
            default: break
            }
            var bytes = body.compactBytes
            let path = paths.randomElement(using: &generator)!
            if path.hasPrefix("/web") { bytes = Array(("event=" + formField(bytes)).utf8) }
            if Int.random(in: 0..<10, using: &generator) == 0, !bytes.isEmpty {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
                    in: .min ... .max, using: &generator)
            }
            var headers = world.bearer
            headers["content-type"] = path.hasPrefix("/web") ? "application/x-www-form-urlencoded" : "application/json"
            let method = ["POST", "POST", "POST", "GET", "PUT", "DELETE"].randomElement(using: &generator)!
            let word = words.randomElement(using: &generator)!
            let query = ["", "limit=\(word)", "limit=\(word)&individual=d-1"].randomElement(using: &generator)!
            let real = Int64.random(in: .min ... .max, using: &generator)
            let outcome = world.answer(
                ServiceRequest(method, path, query: query, headers: headers, body: bytes), real: real)
            #expect((200..<600).contains(outcome.response.status))
        }
    }
}
