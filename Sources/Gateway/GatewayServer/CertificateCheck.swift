import DevelopmentCredentials
import Logging
import Synchronization

/// Checks, while a gateway runs, whether its certificates are still valid by the machine's clock. It logs when they end, and
/// says to health checks why senders refuse the gateway.
final class CertificateCheck: Sendable {
    private let credentials: DevelopmentCredentials
    private let logger: Logger
    private let secondsSince1970: @Sendable () -> Int64
    private let watch: Mutex<CertificateWatch>

    init(
        _ credentials: DevelopmentCredentials, _ logger: Logger, secondsSince1970: @escaping @Sendable () -> Int64
    ) {
        self.credentials = credentials
        self.logger = logger
        self.secondsSince1970 = secondsSince1970
        watch = Mutex(CertificateWatch(until: credentials.validUntil))
    }

    func check() {
        let now = secondsSince1970()
        switch watch.withLock({ $0.pass(to: now) }) {
        case nil, .valid?: break
        case .ending?: logger.warning("\(credentials.notice(at: now)), and start the gateway again")
        case .expired?:
            logger.error("\(credentials.notice(at: now)), and start the gateway again; until then senders refuse it")
        }
    }

    /// Why senders refuse the gateway; nil while its certificates are valid.
    var problem: String? {
        guard watch.withLock({ $0.phase }) == .expired else { return nil }
        return
            "the certificate of the gateway has expired, so senders refuse it; the gateway's log says how to renew it"
    }
}
