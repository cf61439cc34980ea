package import APNSModel

/// Decides when the provider token that all connections of a key share is signed anew.
///
/// APNs refuses a token older than 60 minutes and one that comes less than 20 minutes after the last (docs/reference/apns.md
/// 4.2). Ages are measured on the monotonic clock, so no jump of the wall clock can bring a token too early. That clock
/// should run on while the machine sleeps; where it stands still, the jump of the wall clock shows on waking.
package struct ProviderTokenRenewal: Sendable {
    package enum Action: Equatable, Sendable {
        case use(SignedToken)
        /// Sign a token with this `iat`, in seconds since 1970-01-01 UTC, and hand it to `signed`.
        case sign(issuedAt: Int64)
    }

    private struct Current {
        let token: SignedToken
        let issuedAt: Int64
        let signedAt: MonotonicTime
        var isRefused = false
    }

    private var current: Current?

    /// Where a token of ours is renewed without being asked.
    package static let renewalAge = Duration.seconds(50 * 60)
    /// APNs takes no new token sooner than this after the last.
    package static let minimumAge = Duration.seconds(20 * 60)
    /// How far the wall clock may stray from `iat` plus age before it counts as a jump: well under the 10 minutes between
    /// renewal and expiry, well over what a time server corrects step by step.
    package static let clockTolerance = Duration.seconds(5 * 60)

    package init() {}

    /// - Parameter wallClock: Seconds since 1970-01-01 UTC.
    package func action(now: MonotonicTime, wallClock: Int64) -> Action {
        guard let current else { return .sign(issuedAt: wallClock) }
        let age = now - current.signedAt
        guard age >= ProviderTokenRenewal.minimumAge else { return .use(current.token) }
        let isDue =
            current.isRefused || age >= ProviderTokenRenewal.renewalAge
            || ProviderTokenRenewal.hasJumped(wallClock, since: current.issuedAt, age: age)
        return isDue ? .sign(issuedAt: wallClock) : .use(current.token)
    }

    /// The token that `action` asked for is there; it replaces the one before.
    package mutating func signed(_ token: SignedToken, issuedAt: Int64, now: MonotonicTime) {
        current = Current(token: token, issuedAt: issuedAt, signedAt: now)
    }

    /// The gateway answered `ExpiredProviderToken` to a notification that carried `token`. Late answers to a token that
    /// was replaced meanwhile change nothing.
    package mutating func expired(_ token: SignedToken) {
        guard current?.token == token else { return }
        current?.isRefused = true
    }

    /// When the current token was refused: the moment from which `action` asks for another. Until then `action` still
    /// gives the refused one, because APNs would not take another either, so it is of no use to send.
    package var replacementDue: MonotonicTime? {
        guard let current, current.isRefused else { return nil }
        return current.signedAt + ProviderTokenRenewal.minimumAge
    }

    private static func hasJumped(_ wallClock: Int64, since issuedAt: Int64, age: Duration) -> Bool {
        let (elapsed, overflow) = wallClock.subtractingReportingOverflow(issuedAt)
        guard !overflow else { return true }
        let (stray, strayOverflow) = elapsed.subtractingReportingOverflow(age.components.seconds)
        return strayOverflow || stray.magnitude > clockTolerance.components.seconds.magnitude
    }
}
