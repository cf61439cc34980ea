package import APNSModel

/// Decides when to sign a new provider token for all connections of a key.
///
/// APNs refuses a token that is older than 60 minutes, and a new one less than 20 minutes after the last
/// (docs/reference/apns.md 4.2). Ages are measured on the monotonic clock, so that a jump of the wall clock cannot renew a
/// token too early. That clock should run on while the machine sleeps. If it stops, the wall clock has jumped when the
/// machine wakes, which renews the token too.
///
/// A token that was refused and never accepted does not count: a machine that starts with a wrong clock signs one that is
/// hours old or ahead. It is replaced as soon as the wall clock has been corrected. Between two accepted tokens there
/// are always 20 minutes.
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
        /// Whether the gateway has accepted a notification that carried it.
        var isAccepted = false
        /// Whether the gateway has refused it.
        var isRefused = false
        /// Whether the gateway has refused it with `ExpiredProviderToken`.
        var isExpired = false
    }

    private var current: Current?
    /// Tokens that were replaced and never accepted, since the last one that was.
    private var neverAccepted = 0

    /// The age at which a token is renewed.
    package static let renewalAge = Duration.seconds(50 * 60)
    /// The age to which a token is used if no next one can be signed.
    package static let lastUseAge = Duration.seconds(59 * 60)
    /// APNs refuses a new token that comes sooner than this after the last.
    package static let minimumAge = Duration.seconds(20 * 60)
    /// The first token that was never accepted is replaced at any age, each further one at this age, so that a wall clock
    /// that keeps jumping signs at most one a minute.
    package static let minimumRefusedAge = Duration.seconds(60)
    /// How far the wall clock may differ from `iat` plus age before it counts as a jump. It is well below the 10 minutes
    /// between renewal and expiry, and well above the steps in which time servers correct clocks.
    package static let clockTolerance = Duration.seconds(5 * 60)

    package init() {}

    /// - Parameter wallClock: Seconds since 1970-01-01 UTC.
    package func action(now: MonotonicTime, wallClock: Int64) -> Action {
        guard let current else { return .sign(issuedAt: wallClock) }
        let age = now - current.signedAt
        let isDue =
            if current.isRefused, !current.isAccepted,
                neverAccepted == 0 || age >= ProviderTokenRenewal.minimumRefusedAge,
                ProviderTokenRenewal.hasJumped(wallClock, since: current.issuedAt, age: age)
            {
                true
            } else if age < ProviderTokenRenewal.minimumAge {
                false
            } else {
                current.isExpired || age >= ProviderTokenRenewal.renewalAge
                    || ProviderTokenRenewal.hasJumped(wallClock, since: current.issuedAt, age: age)
            }
        return isDue ? .sign(issuedAt: wallClock) : .use(current.token)
    }

    /// The current token, to send with while the next one is being signed; nil when there is none, when it was refused, or
    /// when it may expire before it arrives.
    package func tokenMeanwhile(now: MonotonicTime) -> SignedToken? {
        guard let current, !current.isRefused, now - current.signedAt < ProviderTokenRenewal.lastUseAge else {
            return nil
        }
        return current.token
    }

    /// The token that `action` asked for was signed. It replaces the previous one.
    package mutating func signed(_ token: SignedToken, issuedAt: Int64, now: MonotonicTime) {
        if let current, !current.isAccepted { neverAccepted += 1 }
        current = Current(token: token, issuedAt: issuedAt, signedAt: now)
    }

    /// The gateway accepted a notification that carried `token`. An answer about a token that was replaced meanwhile changes
    /// nothing.
    package mutating func accepted(_ token: SignedToken) {
        guard current?.token == token else { return }
        current?.isAccepted = true
        neverAccepted = 0
    }

    /// The gateway refused a notification that carried `token`. Reasons that may be due to the time in it count:
    /// `ExpiredProviderToken`, and for a time in the future `InvalidProviderToken` or `TooManyProviderTokenUpdates`
    /// (docs/reference/apns.md 11, row 22). An answer about a token that was replaced meanwhile changes nothing.
    package mutating func refused(_ token: SignedToken, _ reason: Reason) {
        guard current?.token == token else { return }
        switch reason {
        case .expiredProviderToken:
            current?.isExpired = true
            current?.isRefused = true
        case .invalidProviderToken, .tooManyProviderTokenUpdates: current?.isRefused = true
        default: break
        }
    }

    /// When `action` asks for a replacement of the current token at the latest; nil unless it has expired by the gateway's
    /// clock. Until then `action` returns the refused token, because APNs would refuse a new one too, unless the token was
    /// never accepted and the wall clock is corrected.
    package var replacementDue: MonotonicTime? {
        guard let current, current.isExpired else { return nil }
        return current.signedAt + ProviderTokenRenewal.minimumAge
    }

    private static func hasJumped(_ wallClock: Int64, since issuedAt: Int64, age: Duration) -> Bool {
        let (elapsed, overflow) = wallClock.subtractingReportingOverflow(issuedAt)
        guard !overflow else { return true }
        let (stray, strayOverflow) = elapsed.subtractingReportingOverflow(age.components.seconds)
        return strayOverflow || stray.magnitude > clockTolerance.components.seconds.magnitude
    }
}
