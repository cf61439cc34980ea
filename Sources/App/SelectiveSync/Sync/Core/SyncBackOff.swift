import PushDispatch

/// The wait after failed requests, which grows with each of them.
struct SyncBackOff: Sendable {
    /// Consecutive failed requests.
    private var failures = 0
    /// No request starts earlier; nil for no wait.
    private(set) var notBefore: DispatchMoment?

    /// An answer came, or the conditions are others than before.
    mutating func reset() { self = SyncBackOff() }

    /// - Returns: When this request may be tried again.
    mutating func failed(
        _ error: FetchError, policy: SyncPolicy, at now: DispatchMoment, random: UInt64
    ) -> DispatchMoment {
        failures += 1
        let wait = policy.backoff(afterTry: failures, random: random)
        let retryAt = now.advanced(byMilliseconds: max(wait, error.retryAfterMilliseconds ?? 0))
        notBefore = max(notBefore ?? retryAt, retryAt)
        return retryAt
    }
}
