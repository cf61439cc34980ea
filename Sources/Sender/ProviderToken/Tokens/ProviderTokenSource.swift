package import APNSModel
import Synchronization

/// The provider tokens of one key, for all providers, connections and environments that use the key.
///
/// APNs counts how often the provider token of a key changes, over all senders of the key. So make one source for each key, and
/// give it to every provider of the process: they then send the same token, which is renewed when it is 50 minutes old, and
/// never within 20 minutes of one that was accepted. It can be used from several threads, and its description does not
/// show key material.
public final class ProviderTokenSource: Sendable {
    private enum Key {
        case here(SigningKey)
        case elsewhere(any ProviderTokenSigner)
    }

    private struct State {
        var key: Key
        var keyID: KeyID
        var teamID: TeamID
        var renewal = ProviderTokenRenewal()
        /// Whether a signer was asked and has not returned yet.
        var isSigning = false
        /// Of the last attempt; nil when it succeeded.
        var error: KeyError?
        /// Failed attempts since the last successful one.
        var failures = 0
        /// When the signer may be asked again.
        var notBefore: MonotonicTime?
    }

    private let state: Mutex<State>
    private let lastKeyNumber = Atomic<Int>(0)

    /// - Parameters:
    ///   - keyID: The key's id, from the name of its `.p8` file.
    ///   - teamID: The team that the key belongs to.
    public init(key: SigningKey, keyID: KeyID, teamID: TeamID) {
        state = Mutex(State(key: .here(key), keyID: keyID, teamID: teamID))
    }

    /// - Parameters:
    ///   - signer: Signs with a key in a KMS or an HSM.
    ///   - keyID: The key's id at Apple.
    ///   - teamID: The team that the key belongs to.
    public init(signer: some ProviderTokenSigner, keyID: KeyID, teamID: TeamID) {
        state = Mutex(State(key: .elsewhere(signer), keyID: keyID, teamID: teamID))
    }

    /// Signs with another key from now on, for instance before the present one is revoked.
    ///
    /// Each provider that uses the source sends its next notification with a token of the new key, over a new connection,
    /// because APNs counts keys of one team on one connection like tokens of one key. In-flight requests end on the old
    /// connections. APNs may need hours to know a key that was just made, so try it first with a source of its own.
    ///
    /// - Parameter teamID: Nil for a key of the same team.
    public func replaceKey(_ key: SigningKey, keyID: KeyID, teamID: TeamID? = nil) {
        replace(.here(key), keyID: keyID, teamID: teamID)
    }

    /// The same with a key in a KMS or an HSM.
    public func replaceSigner(_ signer: some ProviderTokenSigner, keyID: KeyID, teamID: TeamID? = nil) {
        replace(.elsewhere(signer), keyID: keyID, teamID: teamID)
    }

    private func replace(_ key: Key, keyID: KeyID, teamID: TeamID?) {
        state.withLock { state in
            state = State(key: key, keyID: keyID, teamID: teamID ?? state.teamID)
            lastKeyNumber.add(1, ordering: .releasing)
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
    /// - Returns: Nil while a signer makes the first token: ask again.
    package func token(now: MonotonicTime, wallClock: Int64) throws(KeyError) -> SignedToken? {
        try state.withLock { (state) throws(KeyError) -> SignedToken? in
            switch state.renewal.action(now: now, wallClock: wallClock) {
            case .use(let token): return token
            case .sign(let issuedAt):
                switch state.key {
                case .here(let key):
                    let token = try SignedToken(
                        keyID: state.keyID, teamID: state.teamID, issuedAt: issuedAt, key: key, keyNumber: keyNumber)
                    state.renewal.signed(token, issuedAt: issuedAt, now: now)
                    return token
                case .elsewhere(let signer):
                    let token = state.renewal.tokenMeanwhile(now: now)
                    if state.isSigning { return token }
                    if let notBefore = state.notBefore, now < notBefore {
                        if let error = state.error, token == nil { throw error }
                        return token
                    }
                    state.isSigning = true
                    let message = SignedToken.message(keyID: state.keyID, teamID: state.teamID, issuedAt: issuedAt)
                    ask(signer, for: message, issuedAt: issuedAt, keyNumber: keyNumber, now: now)
                    return token
                }
            }
        }
    }

    private func ask(
        _ signer: any ProviderTokenSigner, for message: [UInt8], issuedAt: Int64, keyNumber: Int, now: MonotonicTime
    ) {
        Task {
            let result: Result<SignedToken, KeyError>
            do {
                let bytes = try await signer.signature(for: message)
                if let signature = ECDSASignature(raw: bytes) ?? ECDSASignature(der: bytes) {
                    result = .success(SignedToken(message, signature: signature.raw, keyNumber: keyNumber))
                } else {
                    let detail =
                        "the signer returned \(bytes.count) bytes, which are not an ES256 signature; return r and s, 64 bytes"
                    result = .failure(KeyError(.signer, detail))
                }
            } catch {
                result = .failure(KeyError(.signer, "the signer failed: \(error)"))
            }
            state.withLock { state in
                guard keyNumber == self.keyNumber else { return }
                state.isSigning = false
                switch result {
                case .success(let token):
                    (state.error, state.failures, state.notBefore) = (nil, 0, nil)
                    state.renewal.signed(token, issuedAt: issuedAt, now: now)
                case .failure(let error):
                    state.error = error
                    state.notBefore = now + .seconds(min(60, 1 << min(6, state.failures)))
                    state.failures += 1
                }
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
