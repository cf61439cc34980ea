import ServiceHost
import Testing

struct ControlGuardTests {
    private func status(
        _ headers: [String: String], host: String = "127.0.0.1", token: String? = nil,
        pages: ControlGuard.Pages = .own, isPage: Bool = false
    ) -> Int? {
        ControlGuard(host: host, token: token, pages: pages, service: "the service")
            .problem(with: ServiceRequest("GET", "/api/faults", headers: headers), isPage: isPage)?.status
    }

    @Test func `on loopback a request names this machine`() {
        for host in ["localhost:8446", "127.0.0.1:8446", "[::1]:8446"] {
            #expect(status(["host": host]) == nil, "\(host)")
        }
        for host in ["rebound.example:8446", "192.168.1.5", ""] { #expect(status(["host": host]) == 403, "\(host)") }
        #expect(status([:]) == 403)
    }

    @Test func `a web page may use the API of its own service, where it has a page`() {
        let own = ["host": "localhost:8446", "origin": "http://localhost:8446"]
        #expect(status(own) == nil)
        #expect(status(own, pages: .none) == 403)
        for origin in ["http://localhost:9999", "https://localhost:8446", "null", ""] {
            #expect(status(["host": "localhost:8446", "origin": origin]) == 403, "\(origin)")
        }
    }

    @Test func `with a token any name is accepted, and only the page needs none`() {
        let token = "a-token-of-16-characters"
        let host = ["host": "simulator.example"]
        #expect(status(host, host: "0.0.0.0", token: token) == 401)
        #expect(status(host.merging(["authorization": "Bearer x"]) { $1 }, token: token) == 401)
        #expect(status(host.merging(["authorization": "Bearer \(token)"]) { $1 }, token: token) == nil)
        #expect(status(host, token: token, isPage: true) == nil)
    }

    @Test func `a problem says what to do, and shows no token`() throws {
        let token = "a-token-of-16-characters"
        let control = ControlGuard(host: "127.0.0.1", token: token, pages: .own, service: "the service")
        let problem = try #require(control.problem(with: ServiceRequest("GET", "/", headers: ["host": "localhost"])))
        #expect(problem.detail.contains("Authorization: Bearer") && !problem.detail.contains(token))
        #expect(problem.response.headers["www-authenticate"] == "Bearer")
        #expect(problem.response.headers["content-type"] == "application/problem+json")
    }
}
