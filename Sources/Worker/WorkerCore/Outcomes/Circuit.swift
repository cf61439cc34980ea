package import APNSModel

/// Stops sending after failures, and lets one push through from time to time to find out whether sending works again.
///
/// The pause of a tenant whose credentials are refused is one, and so is the breaker of a host.
package struct Circuit: Hashable, Sendable {
    package struct Policy: Hashable, Sendable {
        package var firstWait: Duration
        package var maximumWait: Duration
        /// Each wait is this many times the one before.
        package var growth: Int

        package init(firstWait: Duration, maximumWait: Duration, growth: Int) {
            self.firstWait = firstWait
            self.maximumWait = maximumWait
            self.growth = growth
        }

        /// For a tenant: 30 s, 2 min, 8 min, 15 min.
        package static let tenant = Policy(firstWait: .seconds(30), maximumWait: .seconds(900), growth: 4)
        /// For a host: 1 s, 2 s and so on up to a minute. The provider below has its own back-off for connections.
        package static let host = Policy(firstWait: .seconds(1), maximumWait: .seconds(60), growth: 2)
    }

    package enum State: Hashable, Sendable {
        case closed
        /// - Parameter step: How many waits there were in a row, this one included.
        case open(until: MonotonicTime, step: Int)
        /// One push is in flight as a probe; its outcome decides.
        case probing(step: Int)
    }

    package enum Allowance: Hashable, Sendable {
        case all
        /// One push, after which `probing` has to be called.
        case one
        case none(until: MonotonicTime?)
    }

    private let policy: Policy
    package private(set) var state = State.closed
    /// From when a push that has not failed may be the next probe, although the wait is not over: the last probe had failed
    /// before, so its failure says less.
    private var freshFrom: MonotonicTime?
    /// Whether something changed outside since the last failure, so that the fault may be over.
    private var isRetried = false

    package init(_ policy: Policy) { self.policy = policy }

    package var isClosed: Bool { state == .closed }

    /// Whether pushes wait for the end of a time. After `retryNow` none does until a push has failed again.
    package var isPausing: Bool { !isClosed && !isRetried }

    /// - Parameter isFresh: Whether the next push has not failed yet.
    package func allowance(at now: MonotonicTime, isFresh: Bool = false) -> Allowance {
        switch state {
        case .closed: .all
        case .open where isFresh && freshFrom.map({ now >= $0 }) == true: .one
        case .open(let until, _): now >= until ? .one : .none(until: until)
        case .probing: .none(until: nil)
        }
    }

    /// When a push may be tried; nil where it is closed, or one is under way.
    ///
    /// - Parameter isFresh: Whether that push has not failed yet.
    package func nextProbe(isFresh: Bool) -> MonotonicTime? {
        guard case .open(let until, _) = state else { return nil }
        return isFresh ? freshFrom ?? until : until
    }

    /// A push was handed to a sender.
    ///
    /// - Returns: Whether it is the probe, whose outcome decides.
    package mutating func probing() -> Bool {
        guard case .open(_, let step) = state else { return false }
        state = .probing(step: step)
        return true
    }

    /// A push met the fault.
    ///
    /// - Parameters:
    ///   - isProbe: Whether it was the push that was allowed. Others were sent before the circuit opened, and say nothing new.
    ///   - isRepeat: Whether this push had failed before. Then another one may be tried after the first wait.
    ///   - random: From 0 to 1; lengthens the wait by up to a fifth.
    /// - Returns: When it is tried again; nil when nothing changed.
    package mutating func failed(
        at now: MonotonicTime, isProbe: Bool, isRepeat: Bool = false, random: Double
    ) -> MonotonicTime? {
        let step: Int
        switch state {
        case .closed: step = 1
        case .probing(let last) where isProbe: step = last + 1
        case .open, .probing: return nil
        }
        var wait = policy.firstWait
        for _ in 1..<max(step, 2) where step > 1 && wait < policy.maximumWait { wait *= policy.growth }
        let until = now + min(wait, policy.maximumWait) * (1 + random / 5)
        state = .open(until: until, step: step)
        isRetried = false
        freshFrom = isRepeat ? now + policy.firstWait * (1 + random / 5) : nil
        return until
    }

    /// The outcome of the probe decides nothing: another push becomes the probe, after the first wait.
    package mutating func probeWasInconclusive(at now: MonotonicTime) {
        guard case .probing(let step) = state else { return }
        state = .open(until: now + policy.firstWait, step: step)
        isRetried = false
        freshFrom = nil
    }

    /// A push shows that it works.
    ///
    /// - Returns: Whether it did not before.
    package mutating func succeeded(isProbe: Bool) -> Bool {
        guard state != .closed, isProbe else { return false }
        state = .closed
        isRetried = false
        return true
    }

    /// Something changed outside, such as the key: the next push is let through at once, and decides instead of one that is in
    /// flight.
    package mutating func retryNow(at now: MonotonicTime) {
        switch state {
        case .closed: break
        case .open(_, let step), .probing(let step):
            state = .open(until: now, step: step)
            isRetried = true
        }
        freshFrom = nil
    }
}
