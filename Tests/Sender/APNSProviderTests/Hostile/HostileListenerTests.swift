import APNSModel
import APNSProvider
import Foundation
import ProviderToken
import RepositoryFiles
import TLSSession
import TestSeeds
import TestSupport
import Testing

/// What becomes of a notification that is sent to a server that breaks TCP or TLS, and the cases of `HostileServerTests` over
/// TLS. The provider's own limits are short where one of them has to end the wait.
struct HostileListenerTests {
    private static let shared = Result { try HostileCredentials() }

    private let credentials: HostileCredentials

    init() throws { credentials = try Self.shared.get() }

    private func configuration(_ port: Int, usesCertificate: Bool, until bound: Ending.Bound) throws
        -> ProviderConfiguration
    {
        var configuration = ProviderConfiguration(
            gateway: APNSGateway(host: "localhost", port: port),
            credentials: usesCertificate
                ? .certificate(
                    pem: try credentials.client.certificatePEM, key: try credentials.client.privateKeyPEM,
                    passphrase: nil)
                : .token(key: try .generate(), keyID: KeyID("ABC123DEFG")!, teamID: TeamID("TEAM123456")!),
            trust: .authorities(pem: credentials.trusted))
        // Only one connection, so that the test sees what its end means.
        configuration.backOff = .seconds(60)
        configuration.timeout = .seconds(100)
        switch bound {
        case .connectTimeout: configuration.connectTimeout = .seconds(5)
        case .deadline: configuration.timeout = .seconds(10)
        case .silence:
            configuration.pingAfterSilence = .milliseconds(500)
            configuration.pingTimeout = .milliseconds(500)
        case .atOnce, .frame:
            // An outcome that a limit brings has another code or message.
            configuration.connectTimeout = .seconds(3600)
            configuration.pingAfterSilence = .seconds(3600)
        }
        return configuration
    }

    /// Sends a notification, and after one that was accepted another, which takes a new connection unless the first is
    /// kept.
    private func send(
        _ configuration: ProviderConfiguration, until bound: Ending.Bound, to listener: HostileListener? = nil
    ) async throws -> Ending {
        let provider = try PushProvider(configuration)
        let outcome = await outcome(of: 1, provider)
        var isKept = false
        if case .accepted = outcome, case .accepted = await self.outcome(of: 2, provider) {
            isKept = listener?.connections == 1
        }
        await provider.close(within: .zero)
        return Ending(outcome, bound, kept: isKept, connects: 1)
    }

    private func outcome(of number: Int, _ provider: PushProvider) async -> APNSOutcome {
        do throws(APNSSendError) {
            return APNSOutcome(try await provider.send(TestNotifications.notification(number)))
        } catch {
            return error.isSafeToRetry ? .unsent(error) : .unknown(error)
        }
    }

    @Test(.timeLimit(.minutes(10)), arguments: HostileTLSCase.all)
    func `a notification to a server that breaks TCP or TLS ends as the table says`(test: HostileTLSCase) async throws {
        let ending = try await HostileListener.with(try test.script(credentials)) { listener in
            var configuration = try self.configuration(
                listener.port, usesCertificate: test.usesCertificate, until: test.ending.bound)
            configuration.connectAttempts = 1
            if test.ending.result == .accepted { configuration.backOff = .milliseconds(10) }
            return try await send(configuration, until: test.ending.bound, to: listener)
        }
        #expect(test.ending.allows(ending), "\(ending)")
    }

    /// A quarter of the cases, because each has a connection of its own; all where `APNS_EACH` is set.
    private static var overTLS: [HostileCase] {
        let cases = HostileCase.all.filter(\.hasOneEndingOverTLS)
        return TestSeed.each(0..., oneIn: 4).prefix { $0 < cases.count }.map { cases[$0] }
    }

    @Test(.timeLimit(.minutes(10)), arguments: overTLS)
    func `over TLS a hostile server gets the same outcome and message as without a socket`(
        test: HostileCase
    ) async throws {
        let script = HostileListener.Script(tls: try credentials.context(), server: test.server)
        let ending = try await HostileListener.with(script) { listener in
            let configuration = try self.configuration(
                listener.port, usesCertificate: test.usesCertificate, until: test.ending.bound)
            return try await send(configuration, until: test.ending.bound)
        }
        #expect(test.ending.allowsOutcome(ending), "\(ending)")
    }

    @Test func `a port that refuses connections`() async throws {
        let port = try HeldPort()
        var configuration = try self.configuration(port.number, usesCertificate: false, until: .atOnce)
        configuration.connectAttempts = 1
        let ending = try await send(configuration, until: .atOnce)
        #expect(ending.result == .unsent(.connectionFailed))
        #expect(
            ending.message
                == "cannot connect to localhost:\(port.number): connection refused, nothing listens there")
    }

    @Test func `each case has a name of its own`() {
        #expect(Set(HostileTLSCase.all.map(\.name)).count == HostileTLSCase.all.count)
    }

    @Test func `docs sending-faults md says what is tested here`() throws {
        let file = Repository.url("docs/sending-faults.md")
        let page = try Repository.text("docs/sending-faults.md")
        let fresh = try SendingFaultsPage.filled(page)
        if ProcessInfo.processInfo.environment["APNS_WRITE_PAGES"] != nil {
            try fresh.write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(page == fresh, "write it anew: APNS_WRITE_PAGES=1 swift test --filter HostileListenerTests")
        }
    }
}

extension HostileCase {
    /// False where the outcome depends on time that a test over a socket cannot set, and on the speed of the machine.
    fileprivate var hasOneEndingOverTLS: Bool {
        if case .frame(let number) = ending.bound, number > 10_000 { return false }
        return server.eachSecond == nil && !isSentAgain
    }
}
