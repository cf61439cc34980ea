@testable import PersonalizationSimulator
import PushDispatch
import ServiceHost
import Testing

/// What the control API tells of itself.
struct DescriptionTests {
    @Test func `the OpenAPI document has every operation, and each is answered`() {
        let document = ServiceOpenAPI.document(needsToken: false)
        let paths = document["paths"].object ?? [:]
        #expect(paths.values.reduce(0) { $0 + ($1.object?.count ?? 0) } == ServiceOperation.all.count)
        #expect(ServiceOperation.all.map(\.id).count == Set(ServiceOperation.all.map(\.id)).count)
        #expect(document["openapi"] == "3.1.0" && document["security"] == .null)
        let guarded = ServiceOpenAPI.document(needsToken: true)
        #expect(guarded["security"] == [["controlToken": []]])
        #expect(guarded["paths"]["/health"]["get"]["security"] == [[:], ["controlToken": []]])
        #expect(document["paths"]["/health"]["get"]["security"] == .null)
        for operation in ServiceOperation.all where operation.id != .page && operation.id != .openAPI {
            var world = world("faults: [{effect: {status: 500}}]\n" + shop)
            let path = operation.path.replacing(
                "{id}", with: operation.id == .removeFault ? "fault-1" : "5e1d7a90c4b2f836")
            let body =
                switch operation.id {
                case .addFault: #"{"effect":{"status":503}}"#
                case .setClock: #"{"mode":"manual"}"#
                case .advanceClock: #"{"by":"1s"}"#
                default: ""
                }
            let answer = world.control(operation.method, path, body)
            #expect(answer.status == operation.status, "\(operation.method) \(operation.path)")
            let type = answer.response.headers["content-type"]
            #expect(operation.contentType.map { type?.hasPrefix($0) == true } ?? (type == nil))
            for member in operation.answer.keys { #expect(answer[member] != .null, "\(operation.path) \(member)") }
        }
    }

    @Test func `metrics count requests, decisions, events and what is kept`() {
        var world = world(shop)
        _ = world.decide("recs", "hero")
        _ = world.decide()
        world.send(view(1, "1"))
        world.send(view(1, "1"))
        let text = world.get("/metrics").text
        for line in [
            #"apns_personalization_requests_total{path="decisions",status="200"} 1"#,
            #"apns_personalization_requests_total{path="decisions",status="400"} 1"#,
            #"apns_personalization_requests_total{path="events",status="204"} 2"#,
            #"apns_personalization_decisions_total{source="priority"} 2"#, "apns_personalization_credits_total 2",
            #"apns_personalization_events_total{result="repeat"} 1"#,
            #"apns_personalization_kept{what="individuals"} 2"#, "# TYPE apns_personalization_kept gauge",
        ] {
            #expect(text.contains(line + "\n"), "\(line) is not in:\n\(text)")
        }
    }
}
