import APNSModel
import ProviderMetrics

/// What an event loop counts for the metrics of its provider. It is reported by the timer of the loop, not for each
/// notification.
struct LoopMetrics {
    let meter: ProviderMeter
    var tally = MetricsTally()

    /// Counts a notification that has its outcome.
    mutating func count(_ resolution: ProviderCore.Resolution, at now: MonotonicTime) {
        if resolution.status != 0 {
            meter.answered(afterNanoseconds: now.nanoseconds - resolution.submission.submitted.nanoseconds)
        }
        guard resolution.status != 200 else { return tally.countAccepted() }
        let outcome = resolution.outcome
        switch outcome {
        case .accepted: tally.countAccepted()
        case .refused(let refusal): tally.count(outcome.name, reason: LoopMetrics.label(refusal.reason))
        case .unsent(let error), .unknown(let error): tally.count(outcome.name, reason: error.code.rawValue)
        }
    }

    /// Counts a notification that never came to a connection.
    mutating func count(unsent error: APNSSendError) { tally.count("unsent", reason: error.code.rawValue) }

    /// The code of a reason that is known, or else `other`: a gateway could make up any number of them.
    static func label(_ reason: Reason) -> String { knownReasons.contains(reason.code) ? reason.code : "other" }

    private static let knownReasons = Set((Reason.deviceReasons + Reason.broadcastReasons).map(\.reason.code))
}

extension ProviderMeter {
    func count(unsent error: APNSSendError) { count("unsent", reason: error.code.rawValue) }
}

extension LoopMetrics {
    mutating func report(_ levels: MetricsLevels, waiting: Int, loop: Int) {
        meter.report(&tally, levels, waiting: waiting, loop: loop)
    }
}
