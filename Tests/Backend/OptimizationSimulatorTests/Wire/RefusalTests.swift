import OptimizationSimulator
import PushDispatch
import ServiceHost
import Testing

/// What is refused, and how.
struct RefusalTests {
    @Test func `unknown organizations and environments have their codes`() {
        var world = world("")
        _ = world.send(event(1, "page"))
        let body = text(["events": [.object(event(2, "page"))]])
        #expect(
            world.call("POST", "/v2/organizations/other/environments/master/profiles", body).code
                == "ERR_CONFIG_NOT_FOUND")
        #expect(
            world.call("POST", "/v2/organizations/org-1/environments/dev/profiles", body).code == "ERR_CONFIG_NOT_FOUND"
        )
        let mismatch = world.call("GET", "/v2/organizations/org-1/environments/dev/profiles/p1")
        #expect(mismatch.status == 404 && mismatch.code == "ERR_NAMESPACE_MISMATCH")
        #expect(
            world.call("GET", "/v2/organizations/org-1/environments/dev/profiles/p2").code == "ERR_CONFIG_NOT_FOUND")
    }

    @Test(arguments: [
        #"{}"#, #"[]"#, #"{"events":[]}"#, #"{"events":{}}"#, #"{"events":[1]}"#, #"{"events":[{}]}"#,
        #"{"events":[{"type":"walk"}]}"#, #"{"events":[{"type":"track"}]}"#, #"{"events":[{"type":"screen"}]}"#,
        #"{"events":[{"type":"component"}]}"#, #"{"events":[{"type":"page","messageId":"1"}]}"#,
        #"{"events":[{"type":"page","timestamp":"today"}]}"#, #"{"events":[{"type":"page","sentAt":1778231730}]}"#,
        #"{"events":[{"type":"page","channel":"fax"}]}"#, #"{"events":[{"type":"page","context":[]}]}"#,
        #"{"events":[{"type":"identify","userId":"u","traits":[]}]}"#, #"{"events":[{"type":"identify","userId":{}}]}"#,
        #"{"events":[{"type":"component","componentId":"c","variantIndex":-1}]}"#,
        #"{"events":[{"type":"component","componentId":"c","componentType":"Asset"}]}"#,
        #"{"events":[{"type":"component","componentId":"c","variantIndex":1.5}]}"#,
        #"{"events":[{"type":"page","context":{"location":{"countryCode":"DEU"}}}]}"#,
        #"{"events":[{"type":"page"}],"options":[]}"#, #"{"events":[{"type":"page"}],"options":{"features":1}}"#,
        "nonsense", "", "[", #"{"events":[{"type":"page"}]"#,
    ])
    func `a request that is not as it should be changes nothing and says why`(body: String) {
        var world = world("")
        let answer = world.call("POST", profiles + "/p1", body)
        #expect(answer.status == 400 && answer.code == "ERR_INVALID_DATA" && answer["data"] == [:])
        #expect((answer["message"].string ?? "").count > 10)
        #expect(world.call("GET", "/api/state")["profiles"] == 0 && world.call("GET", "/api/state")["events"] == 0)
    }

    @Test func `common fields may be absent, unless the document is strict`() {
        let body = #"{"events":[{"type":"page"}]}"#
        var tolerant = world("")
        #expect(tolerant.call("POST", profiles + "/p1", body).status == 200)
        var strict = world("strict-events: true")
        #expect(strict.call("POST", profiles + "/p1", body)["message"].string?.contains("originalTimestamp") == true)
        #expect(strict.send(event(1, "page")).status == 200)
    }

    @Test func `the type of a body and of a request are checked`() {
        var world = world("")
        let body = text(["events": [.object(event(1, "page"))]])
        #expect(world.call("POST", profiles, body, headers: ["content-type": "application/xml"]).status == 400)
        #expect(world.call("POST", profiles, body, headers: ["content-type": "text/plain;charset=UTF-8"]).status == 200)
        #expect(world.call("POST", profiles, body, query: "type=postflight").status == 400)
        let method = world.call("PUT", profiles + "/p1", body)
        #expect(method.status == 405 && method.response.headers["allow"] == "GET, POST, DELETE")
        #expect(world.call("GET", profiles).status == 405)
        #expect(world.call("POST", profiles + "/" + String(repeating: "x", count: 256), body).status == 400)
    }

    @Test func `a fault answers in the form of its service`() {
        var world = world("")
        func fault(_ path: String, _ status: Int) {
            _ = world.call(
                "POST", "/api/faults", #"{"match":{"path":"\#(path)"},"effect":{"status":\#(status)},"count":1}"#)
        }
        fault("profiles", 503)
        #expect(world.report(view(1, "e", 0)).status == 204, "another path")
        let down = world.send(event(1, "page"))
        #expect(down.status == 503 && down.code == "ERR_INTERNAL_SERVER_ERROR")
        #expect(world.send(event(1, "page")).status == 200)
        fault("profiles", 429)
        #expect(world.send(event(2, "page")).code == "ERR_PROFILE_OVERLOAD")
        fault("analytics", 500)
        #expect(world.report(view(3, "e", 0)).code == "ERR_INTERNAL_SERVER_ERROR")
        fault("events", 500)
        #expect(world.call("POST", "/v2/organizations/org-1/environments/master/import/events", "{}").status == 500)
        fault("entries", 429)
        let limited = world.entries()
        #expect(limited.status == 429 && limited["sys"] == ["type": "Error", "id": "RateLimitExceeded"])
        _ = world.call("POST", "/api/faults", #"{"match":{"path":"decisions"},"effect":{"status":503}}"#)
        #expect(world.call("GET", "/api/faults")["faults"] == [])
    }

    @Test func `a lost answer took effect, silence did not`() {
        var world = world("")
        func outcome(_ effect: String, _ number: Int) -> ServiceOutcome {
            _ = world.call("POST", "/api/faults", #"{"effect":\#(effect),"count":1}"#)
            let body = text(["events": [.object(event(number, "page"))]])
            return world.answer(
                ServiceRequest(
                    "POST", profiles + "/p1", headers: ["content-type": "text/plain"], body: Array(body.utf8)), real: 0)
        }
        #expect(outcome(#"{"silence":true}"#, 1).delivery == .silent)
        #expect(world.call("GET", "/api/events")["total"] == 0)
        #expect(outcome(#"{"lose-answer":true}"#, 1).delivery == .lost)
        #expect(world.call("GET", "/api/events")["total"] == 1)
        #expect(outcome(#"{"delay":"2s"}"#, 1).delay == 2_000)
        #expect(world.call("GET", "/api/events")["repeats"] == 1, "sent again after a lost answer, counted once")
    }
}
