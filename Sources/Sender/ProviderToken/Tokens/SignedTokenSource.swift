package import APNSModel
import Synchronization

/// The current provider token of one key, for all connections that use the key. Can be used from several threads.
package final class SignedTokenSource: Sendable {
    private let key: SigningKey
    private let keyID: KeyID
    private let teamID: TeamID
    private let renewal = Mutex(ProviderTokenRenewal())

    package init(key: SigningKey, keyID: KeyID, teamID: TeamID) {
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
    }

    /// The token to send with now. Signs a new one when it is due. Other callers wait meanwhile, so that only one token is
    /// signed.
    ///
    /// - Parameter now: From a clock that runs on while the machine sleeps, such as `ContinuousClock`.
    /// - Parameter wallClock: Seconds since 1970-01-01 UTC.
    package func token(now: MonotonicTime, wallClock: Int64) throws(KeyError) -> SignedToken {
        try renewal.withLock { (renewal) throws(KeyError) -> SignedToken in
            switch renewal.action(now: now, wallClock: wallClock) {
            case .use(let token): return token
            case .sign(let issuedAt):
                let token = try SignedToken(keyID: keyID, teamID: teamID, issuedAt: issuedAt, key: key)
                renewal.signed(token, issuedAt: issuedAt, now: now)
                return token
            }
        }
    }

    /// The gateway accepted a notification that carried `token`.
    package func accepted(_ token: SignedToken) { renewal.withLock { $0.accepted(token) } }

    /// The gateway refused a notification that carried `token`.
    package func refused(_ token: SignedToken, _ reason: Reason) { renewal.withLock { $0.refused(token, reason) } }

    /// As `ProviderTokenRenewal.replacementDue`.
    package var replacementDue: MonotonicTime? { renewal.withLock { $0.replacementDue } }
}
