@testable import OptimizationSimulator
import PushDispatch
import ServiceHost
import Testing

/// The control API.
struct ControlTests {
    @Test func `health tells the keys of the paths`() {
        var world = world("")
        let health = world.call("GET", "/health")
        #expect(health["status"] == "ok" && health["client-id"] == "org-1" && health["space"] == "space-1")
        #expect(health["environment"] == "master" && health["clock"]["mode"] == "manual")
    }

    @Test func `a profile is shown with what decided for it`() {
        var world = world("", entries: text([experience("exp-1", traffic: .number(0.5), shares: [0, 1])]))
        _ = world.send(event(1, "page"), to: "profile-2")
        let one = world.call("GET", "/api/profiles/profile-2")["experiences"][0]
        #expect(one["traffic"].double == 0.11204495842383358 && one["distribution"].double == 0.3421893323171393)
        #expect(one["in"] == .bool(true) && one["variant-index"] == 1 && one["sticky"] == .bool(false))
        _ = world.send(event(2, "page"), to: "profile-1")
        let other = world.call("GET", "/api/profiles/profile-1")["experiences"][0]
        #expect(other["in"] == .bool(false) && other["variant-index"] == .null)
        #expect(world.call("GET", "/api/profiles/nobody").status == 404)
        #expect(world.call("GET", "/api/profiles", query: "limit=1")["profiles"].array?.count == 1)
    }

    @Test func `events are shown as received, or with what their members do not say`() {
        var world = world("")
        let sent = event(1, "page", ["own": ["x": 1]])
        _ = world.send(sent)
        #expect(world.call("GET", "/api/events")["events"] == [.object(sent)])
        let long = world.call("GET", "/api/events", query: "form=long&newest=1")["events"][0]
        #expect(long["queue"] == "profile" && long["profile"] == "p1" && long["event"] == .object(sent))
        #expect(long["received"] == "2026-05-08T09:15:30.120Z")
    }

    @Test func `audiences and experiences say what they are`() {
        var world = world(
            "audiences: [{id: all, name: Everybody}]",
            entries: text([experience("a", audience: "all"), experience("b", audience: "unknown"), experience("c")]))
        _ = world.send(event(1, "page"))
        #expect(
            world.call("GET", "/api/audiences")["audiences"] == [
                ["audience": "all", "name": "Everybody", "profiles": 1]
            ])
        let list = world.call("GET", "/api/experiences")["experiences"].array ?? []
        #expect(list.map { $0["audience"] } == ["all", "unknown", .null])
        #expect(list.map { $0["audience-known"] } == [.bool(true), .bool(false), .bool(true)])
    }

    @Test func `a reset brings everything back to the start`() {
        var world = world("", entries: text([experience("exp")]))
        let first = world.send(event(1, "page"), to: nil).text
        world.report(view(2, "exp", 0))
        world.advance("1d")
        _ = world.call("POST", "/api/faults", #"{"effect":{"status":503}}"#)
        #expect(world.call("POST", "/api/reset").status == 204)
        let state = world.call("GET", "/api/state")
        #expect(state["profiles"] == 0 && state["events"] == 0)
        #expect(world.send(event(1, "page"), to: nil).text == first, "the same ids again")
    }

    @Test func `the OpenAPI document has every operation, and each is answered`() {
        let document = OptimizationWorld.openAPI(needsToken: false)
        let paths = document["paths"].object ?? [:]
        #expect(paths.values.reduce(0) { $0 + ($1.object?.count ?? 0) } == OptimizationOperation.all.count)
        #expect(OptimizationOperation.all.map(\.id).count == Set(OptimizationOperation.all.map(\.id)).count)
        #expect(OptimizationWorld.openAPI(needsToken: true)["security"] == [["controlToken": []]])
        for operation in OptimizationOperation.all where operation.id != .page && operation.id != .openAPI {
            var world = world("faults: [{effect: {status: 500}, match: {path: entries}}]")
            _ = world.send(event(1, "page"))
            let path = operation.path.replacing("{id}", with: operation.id == .removeFault ? "fault-1" : "p1")
            let body =
                switch operation.id {
                case .addFault: #"{"effect":{"status":503}}"#
                case .setClock: #"{"mode":"manual"}"#
                case .advanceClock: #"{"by":"1s"}"#
                default: ""
                }
            let answer = world.call(operation.method, path, body)
            #expect(answer.status == operation.status, "\(operation.method) \(operation.path)")
            let type = answer.response.headers["content-type"]
            #expect(operation.contentType.map { type?.hasPrefix($0) == true } ?? (type == nil))
            for member in operation.answer.keys { #expect(answer[member] != .null, "\(operation.path) \(member)") }
        }
    }

    @Test func `metrics count requests, events and what is kept`() {
        var world = world("")
        _ = world.send(event(1, "page"))
        _ = world.send(event(1, "page"))
        world.report(view(2, "exp", 0))
        _ = world.entries("limit=x")
        let text = world.call("GET", "/metrics").text
        for line in [
            #"apns_optimization_requests_total{path="profiles",status="200"} 2"#,
            #"apns_optimization_requests_total{path="analytics",status="204"} 1"#,
            #"apns_optimization_requests_total{path="entries",status="400"} 1"#,
            #"apns_optimization_events_total{result="repeat"} 1"#, #"apns_optimization_kept{what="profiles"} 1"#,
            "# TYPE apns_optimization_kept gauge",
        ] {
            #expect(text.contains(line + "\n"), "\(line) is not in:\n\(text)")
        }
    }

    @Test func `unknown paths and methods are told apart`() {
        var world = world("")
        #expect(world.call("GET", "/nothing").status == 404)
        let method = world.call("DELETE", "/api/events")
        #expect(method.status == 405 && method.response.headers["allow"] == "GET")
        #expect(world.call("GET", "/api/events", query: "typ=page").status == 400)
        #expect(world.call("GET", "/v2/organizations/org-1/environments/master/other").status == 404)
        #expect(world.call("GET", "/v3/organizations/org-1/environments/master/profiles/p").status == 404)
    }
}
