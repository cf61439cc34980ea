import APNSModel
import DevelopmentCredentials
import GatewayListener
import Logging
import Synchronization

/// Renews the server certificate of a gateway, while it runs, by the machine's clock. Where that is not possible it logs when
/// the certificates end, and says to health checks why senders refuse the gateway.
final class CertificateCheck: Sendable {
    private struct State {
        let credentials: DevelopmentCredentials
        let renewal: CertificateRenewal?
        var watch: CertificateWatch

        init(_ credentials: DevelopmentCredentials) {
            self.credentials = credentials
            renewal = credentials.renewal
            watch = CertificateWatch(until: credentials.validUntil)
        }
    }

    private let certificates: WorldCertificates
    private let logger: Logger
    private let secondsSince1970: @Sendable () -> Int64
    private let state: Mutex<State>

    /// - Parameter certificates: Get the renewed certificates.
    init(
        _ credentials: DevelopmentCredentials, _ certificates: WorldCertificates, _ logger: Logger,
        secondsSince1970: @escaping @Sendable () -> Int64
    ) {
        self.certificates = certificates
        self.logger = logger
        self.secondsSince1970 = secondsSince1970
        state = Mutex(State(credentials))
    }

    func check() {
        let now = secondsSince1970()
        renew(at: now)
        let (phase, credentials) = state.withLock { ($0.watch.pass(to: now), $0.credentials) }
        switch phase {
        case nil, .valid?: break
        case .ending?: logger.warning("\(credentials.notice(at: now)), and start the gateway again")
        case .expired?:
            logger.error("\(credentials.notice(at: now)), and start the gateway again; until then senders refuse it")
        }
    }

    private func renew(at now: Int64) {
        let (renewal, credentials) = state.withLock { ($0.renewal, $0.credentials) }
        // Where none can be made, the end of the old one is logged.
        guard let renewal, renewal.isDue(at: now), let renewed = try? credentials.renewed(at: now) else { return }
        state.withLock { $0 = State(renewed) }
        certificates.use(renewed.server)
        logger.notice(
            "The server certificate was renewed in memory; the authority stays.",
            metadata: ["valid-until": "\(TimeText.text(renewed.validUntil * 1000))"])
    }

    /// Why senders refuse the gateway; nil while its certificates are valid.
    var problem: String? {
        guard state.withLock({ $0.watch.phase }) == .expired else { return nil }
        return
            "the certificate of the gateway has expired, so senders refuse it; the gateway's log says how to renew it"
    }
}
