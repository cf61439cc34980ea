package import APNSModel
import Synchronization

/// The provider tokens of one key, for all providers, connections and environments that use the key.
///
/// APNs counts how often the provider token of a key changes, over all senders of the key. So make one source for each key, and
/// give it to every provider of the process: they then send the same token, which is renewed when it is 50 minutes old, and
/// never within 20 minutes of one that was accepted. It can be used from several threads, and its description does not
/// show key material.
public final class ProviderTokenSource: Sendable {
    private struct State {
        var key: SigningKey
        var keyID: KeyID
        var teamID: TeamID
        var renewal = ProviderTokenRenewal()
    }

    private let state: Mutex<State>
    private let lastKeyNumber = Atomic<Int>(0)

    /// - Parameters:
    ///   - keyID: The key's id, from the name of its `.p8` file.
    ///   - teamID: The team that the key belongs to.
    public init(key: SigningKey, keyID: KeyID, teamID: TeamID) {
        state = Mutex(State(key: key, keyID: keyID, teamID: teamID))
    }

    /// Signs with another key from now on, for instance before the present one is revoked.
    ///
    /// Each provider that uses the source sends its next notification with a token of the new key, over a new connection,
    /// because APNs counts keys of one team on one connection like tokens of one key. In-flight requests end on the old
    /// connections. APNs may need hours to know a key that was just made, so try it first with a source of its own.
    ///
    /// - Parameter teamID: Nil for a key of the same team.
    public func replaceKey(_ key: SigningKey, keyID: KeyID, teamID: TeamID? = nil) {
        state.withLock { state in
            state.key = key
            state.keyID = keyID
            if let teamID { state.teamID = teamID }
            lastKeyNumber.add(1, ordering: .releasing)
            state.renewal = ProviderTokenRenewal()
        }
    }

    /// The id of the key that signs now.
    public var keyID: KeyID { state.withLock { $0.keyID } }

    /// The number of the key that signs now. It costs no lock.
    package var keyNumber: Int { lastKeyNumber.load(ordering: .acquiring) }

    /// The token to send with now. Signs a new one when it is due. Other callers wait meanwhile, so that only one token is
    /// signed.
    ///
    /// - Parameter now: From a clock that runs on while the machine sleeps, such as `ContinuousClock`.
    /// - Parameter wallClock: Seconds since 1970-01-01 UTC.
    package func token(now: MonotonicTime, wallClock: Int64) throws(KeyError) -> SignedToken {
        try state.withLock { (state) throws(KeyError) -> SignedToken in
            switch state.renewal.action(now: now, wallClock: wallClock) {
            case .use(let token): return token
            case .sign(let issuedAt):
                let token = try SignedToken(
                    keyID: state.keyID, teamID: state.teamID, issuedAt: issuedAt, key: state.key,
                    keyNumber: keyNumber)
                state.renewal.signed(token, issuedAt: issuedAt, now: now)
                return token
            }
        }
    }

    /// The gateway accepted a notification that carried `token`.
    package func accepted(_ token: SignedToken) { state.withLock { $0.renewal.accepted(token) } }

    /// The gateway refused a notification that carried `token`.
    package func refused(_ token: SignedToken, _ reason: Reason) {
        state.withLock { $0.renewal.refused(token, reason) }
    }

    /// As `ProviderTokenRenewal.replacementDue`.
    package var replacementDue: MonotonicTime? { state.withLock { $0.renewal.replacementDue } }
}

extension ProviderTokenSource: CustomStringConvertible, CustomReflectable {
    public var description: String { "provider tokens of key \(keyID)" }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
