import ConfigurationText
import OptimizationSimulator
import PushDispatch
import ServiceHost
import TestSeeds
import Testing

/// Input that nobody sends by accident.
struct HostileInputTests {
    @Test func `a body of 10 MB is refused without being read`() {
        var world = world("")
        let answer = world.call("POST", profiles + "/p1", String(repeating: "[", count: 10_000_000))
        #expect(answer.status == 400 && answer["message"].string?.contains("1048576 bytes") == true)
    }

    @Test func `deep and wide bodies are refused`() {
        var world = world("")
        let deep = #"{"events":"# + String(repeating: "[", count: 100_000)
        #expect(world.call("POST", profiles, deep).code == "ERR_INVALID_DATA")
        let wide = #"{"events":["# + Array(repeating: "0", count: 300_000).joined(separator: ",") + "]}"
        #expect(world.call("POST", profiles, wide).code == "ERR_INVALID_DATA")
    }

    @Test func `an event that is too long is refused`() {
        var world = world("")
        let long = event(1, "page", ["properties": ["x": .string(String(repeating: "x", count: 70_000))]])
        #expect(world.send(long)["message"].string?.contains("longer than 65536 bytes") == true)
        #expect(world.send(event(1, "track", ["event": .string(String(repeating: "x", count: 300))])).status == 400)
    }

    @Test func `a million variants are a mistake of the document, and the rest is read`() {
        let shares = Array(repeating: JSONValue.number(0.000001), count: 1_000_000)
        let huge = experience("exp", shares: [.number(1)])
        var fields = huge["fields"].object ?? [:]
        fields["nt_config"] = ["traffic": 1, "distribution": .array(shares)]
        let entries = text([["sys": huge["sys"], "fields": .object(fields)], experience("small")])
        let document = document("entries: [e.json]", files: ["e.json": entries])
        #expect(document.errors.count == 1)
        #expect(document.errors[0].description.contains("1000000 shares; at most 1000"))
        #expect(document.configuration.experiences.map(\.id) == ["small"])
    }

    @Test func `names in paths are decoded once, and hostile ones are only text`() {
        var world = world("")
        let name = "a%2Fb%3Cscript%3E"
        let answer = world.call("POST", profiles + "/" + name, text(["events": [.object(event(1, "page"))]]))
        #expect(answer.profile["id"] == "a/b<script>")
        #expect(world.call("GET", "/api/profiles/" + name)["id"] == "a/b<script>")
        #expect(world.call("GET", profiles + "/%zz").status == 404)
    }

    @Test(arguments: TestSeed.all(1...40))
    func `bytes at random never stop the service`(seed: TestSeed) {
        var generator = seed.generator
        var world = world("", entries: text([experience("exp", isSticky: true)]))
        let paths = [
            profiles, profiles + "/p1", "/v2/organizations/org-1/environments/master/events",
            "/v2/organizations/org-1/environments/master/import/events",
            "/v1/organizations/org-1/environments/master/events", "/spaces/space-1/environments/master/entries",
            "/api/faults", "/api/clock", "/api/events", "/spaces/space-1/entries/%00",
        ]
        let good = Array(text(["events": [.object(identify(1, "u", ["a": 1])), .object(view(2, "exp", 1))]]).utf8)
        for _ in 0..<100 {
            var body = good
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                body[Int.random(in: body.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if Int.random(in: 0..<4, using: &generator) == 0 {
                body.removeLast(Int.random(in: 0..<body.count, using: &generator))
            }
            let method = ["GET", "POST", "DELETE", "PUT"].randomElement(using: &generator) ?? "GET"
            let path = paths.randomElement(using: &generator) ?? profiles
            let query = ["", "type=preflight", "include=3&limit=%", "sys.id[in]=a,b", "locale=*"]
                .randomElement(using: &generator)
            let request = ServiceRequest(
                method, path, query: query ?? "",
                headers: ["content-type": "application/json", "authorization": "Bearer token-1"], body: body)
            let status = world.answer(request, real: 0).response.status
            #expect((200..<600).contains(status))
        }
    }
}
