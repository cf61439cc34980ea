import APNSModel
import Synchronization

/// The attempts to connect to a gateway, by all event loops of a provider: one reconnection policy, so that several loops
/// connect no more often than one, and one connection that is starting at a time.
final class GatewayAttempts: Sendable {
    private struct State {
        var policy: ReconnectionPolicy
        /// The loop whose connection is starting.
        var starting: Int?
        /// Connections that ended without an answer.
        var failures = 0
        var hasEverAnswered = false
        var surrender = Surrender()
    }

    /// The last time that the provider gave up.
    struct Surrender {
        /// Counts the times.
        var number = 0
        var error: APNSSendError?
    }

    private let state: Mutex<State>

    init(_ policy: ReconnectionPolicy) { state = Mutex(State(policy: policy)) }

    func allowsConnect(at now: MonotonicTime) -> Bool { state.withLock { $0.policy.allowsConnect(at: now) } }

    /// Starts an attempt of `loop` if the policy allows one now and no connection of another loop is starting.
    ///
    /// - Returns: Whether to connect. Then call `settled` once the connection is no longer starting.
    func connect(loop: Int, at now: MonotonicTime) -> Bool {
        state.withLock { state in
            guard state.starting == nil || state.starting == loop, state.policy.allowsConnect(at: now) else {
                return false
            }
            state.policy.connecting(at: now)
            state.starting = loop
            return true
        }
    }

    /// The connection of `loop` is no longer starting: it has answered, its time for that has passed, or it has ended.
    func settled(loop: Int) {
        state.withLock { state in
            if state.starting == loop { state.starting = nil }
        }
    }

    func isSilent() { state.withLock { $0.policy.isSilent() } }

    func worksSteadily() { state.withLock { $0.policy.worksSteadily() } }

    func ended(_ end: ReconnectionPolicy.End, wasSteady: Bool, at now: MonotonicTime) {
        state.withLock { $0.policy.ended(end, wasSteady: wasSteady, at: now) }
    }

    // MARK: Giving up

    /// The gateway has answered, so the provider never gives up any more.
    func answered() { state.withLock { $0.hasEverAnswered = true } }

    /// A connection ended without an answer.
    func failed() { state.withLock { $0.failures += 1 } }

    /// Gives up after `limit` failures, or after one that would come again, if the gateway has never answered.
    ///
    /// - Returns: Whether the provider gives up.
    func surrenders(after limit: Int, isPermanent: Bool, _ error: APNSSendError) -> Bool {
        state.withLock { state in
            guard !state.hasEverAnswered, isPermanent || state.failures >= limit else { return false }
            state.surrender = Surrender(number: state.surrender.number + 1, error: error)
            return true
        }
    }

    var hasEverAnswered: Bool { state.withLock { $0.hasEverAnswered } }

    var surrender: Surrender { state.withLock { $0.surrender } }
}
