/// What a load run has seen so far: outcomes of all, and the latencies of those behind the warm-up.
package struct LoadRecord: Sendable {
    package private(set) var latencies = Latencies()
    package private(set) var accepted = 0
    package private(set) var refused = 0
    package private(set) var unsent = 0
    package private(set) var unknown = 0
    /// How often each reason was given for anything but accepted.
    package private(set) var reasons: [String: Int] = [:]
    private let warmUp: Int

    /// - Parameter warmUp: How many outcomes come before those that are measured.
    package init(warmUp: Int) { self.warmUp = warmUp }

    /// Outcomes, with those of the warm-up.
    package var total: Int { accepted + refused + unsent + unknown }

    /// Outcomes behind the warm-up.
    package var measured: Int { max(total - warmUp, 0) }

    /// - Returns: Whether the measured part begins behind this outcome.
    package mutating func count(_ outcome: LoadOutcome, latency: Duration) -> Bool {
        if total >= warmUp { latencies.record(latency) }
        switch outcome {
        case .accepted: accepted += 1
        case .refused(let reason):
            refused += 1
            reasons[reason, default: 0] += 1
        case .unsent(let reason):
            unsent += 1
            reasons[reason, default: 0] += 1
        case .unknown(let reason):
            unknown += 1
            reasons[reason, default: 0] += 1
        }
        return total == warmUp
    }
}
