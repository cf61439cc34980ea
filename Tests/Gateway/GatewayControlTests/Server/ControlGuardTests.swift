import GatewayConfiguration
import GatewayServer
import GatewayTestSupport
import GatewayTesting
import Testing

/// Who may use the control port.
@Suite(.timeLimit(.minutes(10)))
struct ControlGuardTests {
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
