import GatewayConfiguration
import GatewayJSON
import GatewayServer
import GatewayTestSupport
import GatewayTesting
import NIOCore
import Testing

@testable import GatewayControl

/// Who may use the control port.
@Suite(.timeLimit(.minutes(10)))
struct ControlGuardTests {
    /// The status with which a guard refuses a request; nil when it lets it in.
    private static func refusal(
        _ path: String, method: String = "GET", host: String?, origin: String? = nil, authorization: String? = nil,
        token: String? = nil, fetchSite: String? = nil
    ) -> Int? {
        let request = ControlRequest(
            method: method, path: path, host: host, origin: origin, fetchSite: fetchSite,
            authorization: authorization)
        do throws(Problem) {
            try ControlGuard(host: "127.0.0.1", token: token).check(request)
            return nil
        } catch {
            return error.status
        }
    }

    @Test func `behind a proxy the configured origin is taken, and no other`() throws {
        let origin = try #require(WebOrigin("https://Push.example.com/"))
        func refusal(_ host: String, _ from: String?, token: String? = nil) -> Int? {
            let request = ControlRequest(method: "GET", path: "/api", host: host, origin: from)
            do throws(Problem) {
                try ControlGuard(host: "127.0.0.1", token: token, origin: origin).check(request)
                return nil
            } catch {
                return error.status
            }
        }
        #expect(refusal("push.example.com", "https://push.example.com") == nil)
        #expect(refusal("127.0.0.1:8444", "https://push.example.com") == nil)
        #expect(refusal("push.example.com", "http://push.example.com:8080") == 403)
        #expect(refusal("push.example.com", "https://evil.example") == 403)
        #expect(refusal("evil.example", "https://push.example.com") == 403)
        #expect(refusal("push.example.com", "https://push.example.com", token: "0123456789abcdef") == 401)
    }

    @Test func `a text that is more or less than an origin is none`() {
        for text in ["push.example.com", "https://", "https://a/b", "ftp://a", "https://a?b", "https://a@b", ""] {
            #expect(WebOrigin(text) == nil, "\(text)")
        }
        #expect(WebOrigin("http://[::1]:8444")?.authority == "[::1]:8444")
    }

    @Test func `without a token the host has to be this machine`() {
        #expect(Self.refusal("/api", host: "localhost:8444") == nil)
        #expect(Self.refusal("/api", host: "evil.example") == 403)
        #expect(Self.refusal("/api", host: nil) == 403)
    }

    @Test func `a request with two hosts is refused, also with a token`() {
        for token in [nil, "0123456789abcdef"] {
            let request = ControlRequest(
                method: "GET", path: "/api", host: "localhost", repeatsHost: true,
                authorization: "Bearer 0123456789abcdef")
            let problem = #expect(throws: Problem.self) {
                try ControlGuard(host: "127.0.0.1", token: token).check(request)
            }
            #expect(problem?.status == 400)
        }
    }

    @Test func `with a token any host may be named, but a page of another origin is refused`() {
        let authorization = "Bearer 0123456789abcdef"
        func refusal(_ host: String?, origin: String? = nil) -> Int? {
            Self.refusal(
                "/api", host: host, origin: origin, authorization: authorization, token: "0123456789abcdef")
        }
        #expect(refusal("gateway.example") == nil && refusal(nil) == nil)
        #expect(refusal("gateway.example", origin: "http://Gateway.example") == nil)
        #expect(refusal("gateway.example", origin: "http://evil.example") == 403)
        #expect(refusal(nil, origin: "http://evil.example") == 403)
    }

    @Test(
        arguments: [
            ("GET", "/health", nil), ("GET", "/ready", nil), ("GET", "/", nil), ("GET", "/page/main.js", nil),
            ("GET", "/w/orders", nil),
            ("POST", "/", 401), ("GET", "/api", 401), ("GET", "/w/orders/api", 401), ("GET", "/page", 401),
            ("GET", "/metrics", 401),
        ] as [(String, String, Int?)])
    func `only the page and the health checks need no token`(method: String, path: String, status: Int?) {
        #expect(Self.refusal(path, method: method, host: "localhost", token: "0123456789abcdef") == status)
    }

    @Test(
        arguments: [
            ("/api/devices/ab12/deliveries", "cross-site", 403), ("/api/devices/ab12/deliveries", "same-site", 403),
            ("/api/devices/ab12/deliveries", "same-origin", nil), ("/api/devices/ab12/deliveries", "none", nil),
            ("/w/orders/api", "cross-site", 403), ("/api", "new-word", 403), ("/", "cross-site", nil),
            ("/page/main.js", "cross-site", nil), ("/w/orders", "cross-site", nil),
        ] as [(String, String, Int?)])
    func `a page of another site may only open the inspector page`(path: String, site: String, status: Int?) {
        #expect(Self.refusal(path, host: "localhost", fetchSite: site) == status)
    }

    @Test func `a request is refused before its body is read, and its connection ends`() async throws {
        try await withGateway { gateway in
            let client = gateway.control
            let channel = try await client.open()
            try await channel.executeThenClose { inbound, outbound in
                // The body never comes.
                let head = "POST /api/devices HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 100\r\n\r\n"
                try await outbound.write(ByteBuffer(string: head))
                var text = ""
                for try await part in inbound { text += String(buffer: part) }
                let (status, headers) = ControlClient.head(text)
                #expect(status == 403 && headers["connection"] == "close")
            }
        }
    }

    @Test(
        arguments: [
            ("localhost", nil, 200), ("LOCALHOST:1", nil, 200), ("test.localhost", nil, 200),
            ("127.0.0.9:80", nil, 200),
            ("[::1]:80", nil, 200), ("evil.example", nil, 403), ("127.0.0.1.evil.example", nil, 403),
            ("localhost.evil.example", nil, 403), ("127.0.0.256", nil, 403), ("localhost:1", "http://localhost:1", 200),
            ("localhost:1", "http://localhost:2", 403), ("localhost:1", "https://evil.example", 403),
            ("localhost:1", "null", 403),
        ] as [(String, String?, Int)])
    func `only this machine and its own pages are served`(host: String, origin: String?, status: Int) async throws {
        try await withGateway { gateway in
            let headers = origin.map { ["Origin: \($0)"] } ?? []
            let answer = try await gateway.control.call("GET", "/health", headers: headers, host: host)
            #expect(answer.status == status)
        }
    }

    @Test(
        arguments: [
            (nil, 401), ("Bearer 0123456789abcdef", 200), ("bearer 0123456789abcdef", 200),
            ("Bearer 0123456789abcdeF", 401),
            ("Bearer 0123456789abcdef0", 401), ("Bearer ", 401), ("Basic 0123456789abcdef", 401),
        ] as [(String?, Int)])
    func `a control token is asked for`(authorization: String?, status: Int) async throws {
        var configuration = GatewayConfiguration()
        (configuration.port, configuration.controlPort) = (0, 0)
        configuration.credentials = .given(try TestGateway.credentials.get())
        configuration.controlToken = "0123456789abcdef"
        let gateway = try await GatewayServer(configuration).start()
        let client = ControlClient(port: gateway.controlPort)
        let headers = authorization.map { ["Authorization: \($0)"] } ?? []
        let answer = try await client.call("GET", "/api/apps", headers: headers)
        #expect(answer.status == status)
        let health = try await client.call("GET", "/health")
        #expect(health.status == 200)
        await gateway.shutdown()
    }
}
