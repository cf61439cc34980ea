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
        #expect(method.response.headers["allow"] == "GET")
        #expect(unknown.response.headers["allow"] == nil)
    }

    @Test func `a parameter that there is not is refused with those that there are`() throws {
        let limited = ControlOperation(
            method: "GET", path: "/api/people", id: ID.list, summary: "All.", parameters: [.limit("How many")])
        func problem(_ operation: ControlOperation<ID>, _ query: String) -> ControlProblem? {
            do throws(ControlProblem) {
                try operation.checkParameters(of: ServiceRequest("GET", "/api/people", query: query))
                return nil
            } catch {
                return error
            }
        }
        for query in ["", "limit=1", "limit=1&limit=2", "lim%69t=1", "&"] { #expect(problem(limited, query) == nil) }
        for query in ["limti=1", "limit=1&x", "=1", "%zz=1"] { #expect(problem(limited, query)?.status == 400) }
        #expect(
            problem(limited, "limti=1")?.detail == #"GET /api/people has no parameter "limti"; it has limit"#)
        #expect(problem(one, "id=1")?.detail.contains("it has none") == true, "that of the path is not one")
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
