import DevelopmentCredentials
import GatewayConfiguration
import GatewayTestSupport
import Synchronization
import SystemFiles
import TLSSession
import TestSupport
import Testing

@testable import GatewayServer

/// What a gateway does about its certificates as time passes.
@Suite(.timeLimit(.minutes(10)))
struct CertificateCheckTests {
    /// A clock that a test sets.
    private final class TestClock: Sendable {
        private let time: Atomic<Int64>

        init(_ time: Int64) { self.time = Atomic(time) }

        var now: Int64 {
            get { time.load(ordering: .relaxed) }
            set { time.store(newValue, ordering: .relaxed) }
        }
    }

    private static let day: Int64 = 86_400
    private static let renewed = "notice The server certificate was renewed in memory; the authority stays."

    private static func configuration(
        _ credentials: DevelopmentCredentials, log: LoggedLines
    ) -> GatewayConfiguration {
        var configuration = GatewayConfiguration()
        (configuration.port, configuration.controlPort, configuration.grace) = (0, 0, .seconds(1))
        configuration.credentials = .given(credentials)
        configuration.log(to: log)
        return configuration
    }

    /// The certificate that a new connection is shown.
    private static func certificate(
        of gateway: RunningGateway, host: String = "localhost"
    ) async throws -> CertificateFacts {
        let sender = try await RawSender(port: gateway.port, caPEM: gateway.credentials.caPEM, serverName: host)
        var events = sender.observed.makeAsyncIterator()
        while let event = await events.next(), event != .opened {}
        let facts = try await sender.serverCertificate
        try await sender.close()
        return try #require(facts)
    }

    @Test func `a gateway renews its certificate while it runs, and open connections stay`() async throws {
        // Senders verify by the machine's clock, by which 225 of the 825 days are left.
        let machine = WallClock.secondsSince1970
        let credentials = try DevelopmentCredentials.make(at: machine - 600 * Self.day)
        let old = credentials.server.certificate
        let clock = TestClock(machine - 100 * Self.day)
        let log = LoggedLines()
        let server = GatewayServer(Self.configuration(credentials, log: log)) { clock.now }
        try await server.run { gateway in
            let sender = try await RawSender(port: gateway.port, caPEM: credentials.caPEM)
            var events = sender.observed.makeAsyncIterator()
            while let event = await events.next(), event != .opened {}
            let before = try await Self.certificate(of: gateway, host: "orders.localhost")
            #expect(before.notAfter == old.notAfter)
            #expect(log.all.isEmpty, "\(log.all)")

            clock.now = machine
            #expect(await eventually { log.all.count == 1 })
            #expect(log.all.first?.hasPrefix(Self.renewed) == true, "\(log.all)")
            for host in ["localhost", "127.0.0.1"] {
                let after = try await Self.certificate(of: gateway, host: host)
                #expect(after.names == old.names && after.notAfter == machine + 825 * Self.day)
            }
            let world = try await Self.certificate(of: gateway, host: "orders.localhost")
            #expect(world.names == ["orders.localhost"] && world.notAfter == machine + 825 * Self.day)
            #expect(try await sender.serverCertificate == old)
            try await sender.ping()
            while let event = await events.next(), event != .pingAcknowledged {}
            #expect(try await sender.isOpen)
            throw CancellationError()
        }
    }

    @Test func `a certificate that ended while no gateway ran is renewed before the ports are opened`() async throws {
        let machine = WallClock.secondsSince1970
        let credentials = try DevelopmentCredentials.make(at: machine - 1000 * Self.day)
        let log = LoggedLines()
        try await GatewayServer(Self.configuration(credentials, log: log)) { machine }.run { gateway in
            #expect(log.all.first?.hasPrefix(Self.renewed) == true, "\(log.all)")
            let shown = try await Self.certificate(of: gateway)
            #expect(shown.notAfter == machine + 825 * Self.day)
            throw CancellationError()
        }
    }

    @Test func `a certificate that is not valid yet, because the clock was set back, is renewed at the start too`()
        async throws
    {
        let machine = WallClock.secondsSince1970
        let made = try DevelopmentCredentials.make(at: machine - 100 * Self.day)
        let credentials = try made.renewed(at: machine + 10 * Self.day)
        let log = LoggedLines()
        try await GatewayServer(Self.configuration(credentials, log: log)) { machine }.run { gateway in
            #expect(log.all.first?.hasPrefix(Self.renewed) == true, "\(log.all)")
            let shown = try await Self.certificate(of: gateway)
            #expect(shown.notAfter == machine + 825 * Self.day)
            throw CancellationError()
        }
    }

    @Test func `a gateway does not start with an expired certificate that it cannot renew`() async throws {
        let machine = WallClock.secondsSince1970
        let (old, new) = (
            try DevelopmentCredentials.make(at: machine - 1000 * Self.day), try DevelopmentCredentials.make(at: machine)
        )
        let mixed = try DevelopmentCredentials(
            authority: new.authority, server: old.server, key: new.key, keyID: new.keyID, teamID: new.teamID,
            topic: new.topic, folder: nil)
        let server = GatewayServer(Self.configuration(mixed, log: LoggedLines())) { machine }
        let error = await #expect(throws: GatewayError.self) { try await server.start() }
        #expect(error?.code == .expiredCredentials)
    }

    @Test func `a gateway whose authority ends while it runs warns before, and then is not ready`() async throws {
        let credentials = try DevelopmentCredentials.make()
        let end = credentials.authority.identity.certificate.notAfter
        let clock = TestClock(end - 8 * Self.day)
        let log = LoggedLines()
        let server = GatewayServer(Self.configuration(credentials, log: log)) { clock.now }
        try await server.run { gateway in
            let control = ControlClient(port: gateway.controlPort)
            #expect(try await control.call("GET", "/ready").status == 200)
            // The server certificate has been renewed for as long as the authority is valid.
            #expect(log.all.count == 1, "\(log.all)")
            clock.now = end - 6 * Self.day
            #expect(await eventually { log.all.count == 2 })
            #expect(log.all.last?.hasPrefix("warning the certificate authority is valid until") == true, "\(log.all)")
            #expect(log.all.last?.contains("apns credentials --force, and start the gateway again") == true)
            #expect(try await control.call("GET", "/ready").status == 200)
            clock.now = end + 1
            #expect(await eventually { log.all.count == 3 })
            #expect(log.all.last?.hasPrefix("error the certificate authority was valid until") == true, "\(log.all)")
            let ready = try await control.call("GET", "/ready")
            #expect(ready.status == 503 && ready.body.contains("has expired, so senders refuse it"), "\(ready.body)")
            #expect(try await control.call("GET", "/health").status == 200)
            throw CancellationError()
        }
        // By this clock another gateway would not start.
        await #expect(throws: GatewayError.self) { try await server.start() }
    }
}
