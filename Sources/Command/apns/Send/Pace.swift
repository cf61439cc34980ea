import ArgumentParser

/// When each notification of a run with `--rate` is due: at a fixed interval after the previous one. The times are computed
/// from the start of the run, so that rounding and late timers do not add up.
///
/// After a delay it catches up only `catchUp` of the lost time, so that a gateway that asked for a rate does not get a
/// burst.
struct Pace: Hashable, Sendable {
    /// Notifications a second.
    let rate: Double
    private var start: Duration?
    private var count = 0

    /// How much lost time is caught up.
    static let catchUp: Duration = .milliseconds(250)

    static let range = 0.001...1_000_000

    init(rate: Double) { self.rate = rate }

    /// When the next notification is due.
    ///
    /// - Parameter now: The present, on the same clock as the result.
    mutating func next(at now: Duration) -> Duration {
        let begin = start ?? now
        var due = begin + step(count)
        if now - due > Pace.catchUp {
            start = now - Pace.catchUp - step(count)
            due = now - Pace.catchUp
        } else {
            start = begin
        }
        count += 1
        return due
    }

    private func step(_ count: Int) -> Duration { .nanoseconds(Int64((Double(count) * 1e9 / rate).rounded())) }
}

extension ArgumentReading {
    static func pace(_ text: String) throws -> Double {
        guard let rate = Double(text), Pace.range.contains(rate) else {
            throw ValidationError("it must be notifications a second, from 0.001 to 1000000")
        }
        return rate
    }
}
