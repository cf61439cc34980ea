import APNSModel
import GatewayCore
import Logging
import Synchronization

/// Logs why connections are refused: a certificate that is refused belongs to no notification, so the journal does not have it.
///
/// A sender that comes again and again does not fill the log: each reason is logged once a minute, and in each minute at most
/// sixteen are.
final class RefusalLog: Sendable {
    private static let pause: Duration = .seconds(60)
    private static let maximum = 16

    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let logged = Mutex<[String: ContinuousClock.Instant]>([:])

    init(_ logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.logger = logger
        self.now = now
    }

    @Sendable func connectionRefused(_ goAway: GoAway) {
        let now = now()
        let isNew = logged.withLock { logged in
            logged = logged.filter { now < $0.value + RefusalLog.pause }
            guard logged[goAway.why] == nil, logged.count < RefusalLog.maximum else { return false }
            logged[goAway.why] = now
            return true
        }
        if isNew { logger.warning("A connection was refused with \(goAway.reason.code): \(goAway.why)") }
    }
}
