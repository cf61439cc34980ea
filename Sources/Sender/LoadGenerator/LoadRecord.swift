/// The outcomes of a load run, and the latencies of the notifications after the warm-up.
package struct LoadRecord: Sendable {
    package private(set) var latencies = Latencies()
    package private(set) var accepted = 0
    package private(set) var refused = 0
    package private(set) var unsent = 0
    package private(set) var unknown = 0
    /// How often each outcome except accepted occurred.
    private var failures: [LoadOutcome: Int] = [:]
    /// Which notifications have their result.
    package private(set) var ledger = ResultLedger()
    private let warmUp: Int

    /// - Parameter warmUp: The number of outcomes before the measured ones.
    package init(warmUp: Int) { self.warmUp = warmUp }

    /// All outcomes, with the warm-up.
    package var total: Int { accepted + refused + unsent + unknown }

    /// Outcomes after the warm-up.
    package var measured: Int { max(total - warmUp, 0) }

    /// How often each reason occurred, for any outcome except accepted.
    package var reasons: [String: Int] { reasons { $0.reason } }
    package var refusedReasons: [String: Int] { reasons { if case .refused(let reason) = $0 { reason } else { nil } } }
    package var unsentReasons: [String: Int] { reasons { if case .unsent(let reason) = $0 { reason } else { nil } } }
    package var unknownReasons: [String: Int] { reasons { if case .unknown(let reason) = $0 { reason } else { nil } } }

    private func reasons(_ reason: (LoadOutcome) -> String?) -> [String: Int] {
        var reasons: [String: Int] = [:]
        for (outcome, count) in failures {
            if let reason = reason(outcome) { reasons[reason, default: 0] += count }
        }
        return reasons
    }

    /// - Parameter index: The index of the notification, from 0.
    /// - Returns: Whether the measured part starts after this outcome.
    package mutating func count(_ outcome: LoadOutcome, of index: Int, latency: Duration) -> Bool {
        if total >= warmUp { latencies.record(latency) }
        ledger.add(index)
        switch outcome {
        case .accepted: accepted += 1
        case .refused: refused += 1
        case .unsent: unsent += 1
        case .unknown: unknown += 1
        }
        if outcome != .accepted { failures[outcome, default: 0] += 1 }
        return total == warmUp
    }
}
