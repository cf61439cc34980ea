import DevelopmentCredentials
import GatewayConfiguration
import GatewayListener
import GatewayTestSupport
import GatewayTesting
import Synchronization
import TestSupport
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

    /// A clock that a test sets.
    private final class TestClock: Sendable {
        private let time: Atomic<Int64>

        init(_ time: Int64) { self.time = Atomic(time) }

        var now: Int64 {
            get { time.load(ordering: .relaxed) }
            set { time.store(newValue, ordering: .relaxed) }
        }
    }

    @Test func `a gateway whose certificate ends while it runs warns before, and then is not ready`() async throws {
        let credentials = try TestGateway.credentials.get()
        let end = credentials.validUntil
        let clock = TestClock(end - 8 * 86_400)
        let log = LoggedLines()
        var configuration = GatewayConfiguration()
        (configuration.port, configuration.controlPort, configuration.grace) = (0, 0, .seconds(1))
        configuration.credentials = .given(credentials)
        configuration.log(to: log)
        let server = GatewayServer(configuration) { clock.now }
        try await server.run { gateway in
            let control = ControlClient(port: gateway.controlPort)
            #expect(try await control.call("GET", "/ready").status == 200)
            clock.now = end - 6 * 86_400
            #expect(await eventually { log.all.count == 1 })
            #expect(log.all.first?.hasPrefix("warning the server certificate is valid until") == true, "\(log.all)")
            #expect(log.all.first?.contains("apns credentials --renew, and start the gateway again") == true)
            #expect(try await control.call("GET", "/ready").status == 200)
            clock.now = end + 1
            #expect(await eventually { log.all.count == 2 })
            #expect(log.all.last?.hasPrefix("error the server certificate was valid until") == true, "\(log.all)")
            let ready = try await control.call("GET", "/ready")
            #expect(ready.status == 503 && ready.body.contains("has expired, so senders refuse it"), "\(ready.body)")
            #expect(try await control.call("GET", "/health").status == 200)
            throw CancellationError()
        }
        // By this clock another gateway would not start.
        await #expect(throws: GatewayError.self) { try await server.start() }
    }
}
