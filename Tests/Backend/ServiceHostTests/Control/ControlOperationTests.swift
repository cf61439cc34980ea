import ServiceHost
import Testing

struct ControlOperationTests {
    private enum ID: String { case list, one }

    private let list = ControlOperation(method: "GET", path: "/api/people", id: ID.list, summary: "All.")
    private let one = ControlOperation(
        method: "GET", path: "/api/people/{id}", id: ID.one, summary: "One.", parameters: [.identifier("Of a person.")])

    @Test func `a path matches whole, and its parameter is what follows`() {
        #expect(list.matches("/api/people") && !list.matches("/api/people/") && !list.matches("/api/people/1"))
        #expect(one.matches("/api/people/a%2Fb") && !one.matches("/api/people/") && !one.matches("/api/people"))
        #expect(one.argument(in: "/api/people/a%2Fb") == "a%2Fb")
        #expect(list.argument(in: "/api/people") == "")
    }

    @Test func `an unknown path is 404, and another method is 405 with those that there are`() {
        let unknown = ControlProblem.unknown(ServiceRequest("GET", "/api/peolpe"), [ControlOperation<ID>]())
        #expect(unknown.status == 404 && unknown.detail.contains(#""/api/peolpe""#))
        let method = ControlProblem.unknown(ServiceRequest("PUT", "/api/people"), [list])
        #expect(method.status == 405 && method.detail.contains("GET is"))
    }

    @Test func `a limit has a default and a bound`() throws {
        #expect(try ServiceRequest("GET", "/").limit() == 1_000)
        #expect(try ServiceRequest("GET", "/", query: "limit=0").limit() == 0)
        #expect(try ServiceRequest("GET", "/", query: "limit=100000").limit() == 100_000)
        for text in ["100001", "-1", "many", ""] {
            #expect(throws: ControlProblem.self) { try ServiceRequest("GET", "/", query: "limit=\(text)").limit() }
        }
    }
}
