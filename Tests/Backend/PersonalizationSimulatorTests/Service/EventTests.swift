import APNSModel
import PersonalizationSimulator
import PushDispatch
import ServiceHost
import Testing

/// Spec sections 4.1 to 4.5: events.
struct EventTests {
    @Test func `an empty batch travels as event=eyJldmVudHMiOltdfQ%3D%3D`() {
        var world = world(shop)
        #expect(world.sendForm("event=eyJldmVudHMiOltdfQ%3D%3D").status == 204)
    }

    @Test func `both forms store events, and the answer is 204 without a body`() {
        var world = world(shop)
        let web = world.send(view(1, "1"))
        #expect(web.status == 204 && web.text.isEmpty)
        let batch: JSONValue = ["events": [.object(view(2, "2"))]]
        var request = ServiceRequest(
            "POST", "/server/events/\(world.source)", headers: ["content-type": "application/json; charset=utf-8"],
            body: batch.compactBytes)
        #expect(world.answer(request, real: 0).response.status == 401)
        request.headers.merge(world.bearer) { $1 }
        #expect(world.answer(request, real: 0).response.status == 204)
        let events = world.get("/api/events")
        #expect(events["events"].array?.map { $0["id"] } == ["1", "2"], "as received, oldest first")
    }

    @Test func `a plus that is not percent-encoded becomes a blank, and the answer says so`() throws {
        var world = world(shop)
        let text = try #require(
            (0..<50).lazy.map { number in
                let batch: JSONValue = ["events": [.object(view(number, "1"))], "pad": .string("\u{fb}\u{f8}>>>~~~")]
                return String(decoding: Base64.encode(batch.compactBytes), as: UTF8.self)
            }.first { $0.contains("+") })
        let answer = world.sendForm("event=" + text)
        #expect(answer.status == 400)
        #expect(answer["message"].string?.contains("percent-encode + / and =") == true)
        #expect(world.sendForm("event=" + text.replacing("+", with: "%2B").replacing("=", with: "%3D")).status == 204)
    }

    @Test func `a form with two batches is refused, so that none is lost`() {
        var world = world(shop)
        let fields = [view(1, "1"), view(2, "2")].map { event in
            "event=" + formField(JSONValue.object(["events": [.object(event)]]).compactBytes)
        }
        let answer = world.sendForm(fields.joined(separator: "&"))
        #expect(answer.status == 400)
        #expect(answer["message"].string?.contains("2 fields event; send one") == true)
        #expect(world.get("/api/events")["total"] == 0)
        #expect(world.sendForm("source=app&" + fields[0]).status == 204, "other fields do not matter")
    }

    @Test func `the server drops repeats by eventId`() {
        var world = world(shop)
        let recommendation = world.decide("recs").personalizations[0]
        let impression = engagement(1, "View", recommendation)
        #expect(world.send(impression).status == 204)
        #expect(world.send(impression, engagement(2, "Click", recommendation)).status == 204)
        var upper = impression
        upper["eventId"] = .string(eventID(1).uppercased())
        #expect(world.send(upper).status == 204)
        let decision = world.get("/api/decisions")["decisions"][0]
        #expect(decision["impressions"] == 1 && decision["clicks"] == 1)
        let events = world.get("/api/events")
        #expect(events["total"] == 2 && events["repeats"] == 2)
    }

    @Test(arguments: [
        ("engagement", "View Product Recommendation", "Click Product Recommendation", "Dismiss Product Recommendation"),
        ("userEngagement", "personalization-view", "personalization-click", "personalization-dismiss"),
        ("catalog", "catalog-object-view-start", "catalog-object-click", "catalog-object-dismiss"),
    ])
    func `engagement counts for its decision in each naming profile`(
        type: String, view: String, click: String, dismiss: String
    ) {
        var world = world(shop)
        let id = world.decide("recs").personalizations[0]["personalizationId"].string ?? ""
        for (number, name) in [view, view, click, click, click, dismiss].enumerated() {
            var members: [String: JSONValue] = [
                "interactionName": .string(name), "personalizationId": .string(id),
                "personalizationContentId": .string(id + ":0"),
            ]
            if type == "catalog" { members.merge(["type": "Product", "id": "1"]) { $1 } }
            #expect(world.send(event(number, type, members)).status == 204)
        }
        let decision = world.get("/api/decisions")["decisions"][0]
        #expect(decision["impressions"] == 2 && decision["clicks"] == 3 && decision["dismissals"] == 1)
        #expect(world.get("/api/events", "personalization-id=\(id)")["total"] == 6)
    }

    @Test func `fixed content uses the personalizationId as content id too`() {
        var world = world(shop)
        let id = world.decide("hero").personalizations[0]["personalizationId"]
        let members: [String: JSONValue] = [
            "interactionName": "View Product Recommendation", "personalizationId": id, "personalizationContentId": id,
        ]
        #expect(world.send(event(1, "engagement", members)).status == 204)
        #expect(world.get("/api/decisions")["decisions"][0]["impressions"] == 1)
    }

    @Test(arguments: ["View", "Click"], ["personalizationId", "personalizationContentId"])
    func `impression and click must carry both ids`(action: String, missing: String) {
        var world = world(shop)
        var event = engagement(1, action, world.decide("recs").personalizations[0])
        event[missing] = nil
        let answer = world.send(view(2, "1"), event)
        #expect(answer.status == 400 && answer["event"] == 1)
        #expect(answer["message"].string?.contains("events[1].\(missing) is missing") == true)
        #expect(world.get("/api/events")["total"] == 0, "a batch is taken as a whole or not at all")
    }

    @Test func `dismiss must carry the personalizationId only`() {
        var world = world(shop)
        let personalization = world.decide("recs").personalizations[0]
        #expect(world.send(engagement(1, "Dismiss", personalization, item: nil)).status == 204)
        var without = engagement(2, "Dismiss", personalization, item: nil)
        without["personalizationId"] = nil
        #expect(world.send(without).status == 400)
    }

    @Test func `a catalogue is browsed without a decision, but a dismissal names one`() {
        var world = world(shop)
        #expect(world.send(view(1, "1")).status == 204)
        var dismissal = view(2, "1")
        dismissal["interactionName"] = "catalog-object-dismiss"
        let answer = world.send(dismissal)
        #expect(answer.status == 400)
        #expect(answer["message"].string?.contains("personalizationId is missing") == true)
        dismissal["personalizationId"] = world.decide("recs").personalizations[0]["personalizationId"]
        #expect(world.send(dismissal).status == 204)
        #expect(world.get("/api/decisions")["decisions"][0]["dismissals"] == 1)
    }

    @Test(arguments: ["eventId", "dateTime", "deviceId", "sessionId", "eventType", "category"])
    func `400 for a missing common field`(key: String) {
        var world = world(shop)
        var event = view(1, "1")
        event[key] = nil
        #expect(world.send(event).status == 400)
        event[key] = ""
        #expect(world.send(event).status == 400)
        event[key] = ["nested"]
        #expect(world.send(event).status == 400)
    }

    @Test(arguments: [
        ("eventId", "not-a-uuid"), ("dateTime", "2026-05-08T09:15:30Z"), ("dateTime", "2026-05-08T09:15:30.120+01:00"),
        ("dateTime", "2026-13-08T09:15:30.120Z"), ("category", "engagement"), ("category", "Profile"),
    ])
    func `400 for a field of another form`(key: String, value: String) {
        var world = world(shop)
        var event = view(1, "1")
        event[key] = .string(value)
        #expect(world.send(event).status == 400)
    }

    @Test(arguments: [
        ("identity", "isAnonymous"), ("contactPointEmail", "email"), ("contactPointPhone", "phoneNumber"),
        ("contactPointAddress", "addressLine1"), ("partyIdentification", "IDType"), ("catalog", "id"),
        ("catalog", "interactionName"), ("consentLog", "status"), ("appEvents", "behaviorType"),
        ("userEngagement", "interactionName"),
    ])
    func `a kind of event must carry its fields`(type: String, key: String) {
        var world = world(shop)
        var members: [String: JSONValue] = [
            "isAnonymous": "0", "email": "kim@example.com", "phoneNumber": "1", "addressLine1": "a", "IDName": "n",
            "IDType": "t", "userId": "u", "interactionName": "n", "type": "Product", "id": "1", "status": "Opt In",
            "behaviorType": "launch",
        ]
        #expect(world.send(event(1, type, members)).status == 204)
        members[key] = nil
        #expect(world.send(event(2, type, members)).status == 400)
    }

    @Test func `events of an own name are kept`() {
        var world = world(shop)
        #expect(world.send(event(1, "myOwnEvent", ["anything": ["nested": [1, 2]]])).status == 204)
        let events = world.get("/api/events", "type=myOwnEvent")
        #expect(events["events"][0]["anything"] == ["nested": [1, 2]], "whole, as received")
    }

    @Test func `the capture time is kept, not the time of sending`() {
        var world = world(shop)
        world.send(view(1, "1", at: -86_400))
        #expect(world.get("/api/events")["events"][0]["dateTime"] == "2026-05-07T09:15:30.120Z")
    }

    @Test func `the path names the app's source id, a UUID`() {
        var world = world(shop)
        #expect(world.sendForm("event=eyJldmVudHMiOltdfQ%3D%3D", to: "my-app").status == 400)
        #expect(world.sendForm("event=eyJldmVudHMiOltdfQ%3D%3D", to: eventID(1)).status == 400)
        #expect(world.sendForm("event=eyJldmVudHMiOltdfQ%3D%3D", to: world.source.uppercased()).status == 204)
    }

    @Test(arguments: ["nonsense", "other:0", "{id}:", "{id}:x", "{id}:-1", "{id}:+1", "{id}x", "{id}:0:0"])
    func `400 for a content id that is not of the decision`(content: String) {
        var world = world(shop)
        let personalization = world.decide("recs").personalizations[0]
        let id = personalization["personalizationId"].string ?? ""
        for (number, action) in ["View", "Click", "Dismiss"].enumerated() {
            var event = engagement(number, action, personalization)
            event["personalizationContentId"] = .string(content.replacing("{id}", with: id))
            let answer = world.send(event)
            #expect(answer.status == 400)
            #expect(answer["message"].string?.contains("the index of an item") == true)
        }
        #expect(world.get("/api/events")["total"] == 0)
    }

    @Test(arguments: [("recs", 3), ("hero", 1)])
    func `engagement with an item that the decision does not have is kept and counts for none`(
        point: String, items: Int
    ) {
        var world = world(shop)
        let personalization = world.decide(point).personalizations[0]
        #expect(world.send(engagement(1, "Click", personalization, item: items - 1)).status == 204)
        #expect(world.send(engagement(2, "Click", personalization, item: items)).status == 204)
        #expect(world.get("/api/decisions")["decisions"][0]["clicks"] == 1)
        #expect(world.get("/api/state")["engagement-without-decision"] == 1)
        #expect(world.get("/api/events")["total"] == 2)
    }

    @Test func `engagement with a decision that is not known is kept and counted`() {
        var world = world(shop)
        #expect(world.send(engagement(1, "Click", ["personalizationId": .string(eventID(9))])).status == 204)
        #expect(world.get("/api/state")["engagement-without-decision"] == 1)
    }

    @Test func `above the limits the oldest is dropped and counted`() {
        var world = world("limits: {events: 3, event-ids: 5, decisions: 2, people: 2}\n" + shop)
        for number in 0..<9 { world.send(view(number, "1", on: "d-\(number)")) }
        for _ in 0..<5 { _ = world.decide("recs") }
        let state = world.get("/api/state")
        #expect(
            state["events"] == 3 && state["decisions"] == 2 && state["individuals"] == 2, "kim and the first device")
        let dropped = state["dropped"]
        #expect(dropped["events"] == 6 && dropped["decisions"] == 3 && dropped["event-ids"] == 4)
        #expect(dropped["individuals"] == 8)
        world.send(view(4, "1"))
        #expect(world.get("/api/state")["repeats"] == 1, "the ids of dropped events are still known")
        let kept = world.get("/api/events")["events"].array?.map { $0["eventId"] }
        #expect(kept == [6, 7, 8].map { .string(eventID($0)) })
    }
}
