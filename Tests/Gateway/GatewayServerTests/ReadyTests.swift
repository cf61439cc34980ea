import GatewayListener
import GatewayTestSupport
import GatewayTesting
import Testing

@testable import GatewayServer

@Suite(.timeLimit(.minutes(10)))
struct ReadyTests {
    @Test func `a gateway is ready while all ports for senders are open`() async throws {
        try await withGateway { gateway in
            let ready = try await gateway.control.call("GET", "/ready")
            #expect(ready.status == 200 && ready.body == #"{"status":"ready"}"#)
            #expect(try await gateway.control.call("POST", "/ready").status == 405)
            #expect(try await gateway.control.call("GET", "/w/orders/ready").status == 404)
            await gateway.running.listener.stop(grace: .zero)
            let closed = try await gateway.control.call("GET", "/ready")
            #expect(closed.status == 503 && closed.body.contains("the ports for senders are not open"))
            #expect(try await gateway.control.call("GET", "/health").status == 200)
        }
    }
}
