import APNSModel

/// How long the pushes of a tenant take from its sender to their outcomes.
struct AnswerTime: Hashable, Sendable {
    /// Of about the last sixteen pushes, in seconds.
    private var mean = 0.0
    /// When there was an outcome last, or a push was sent while none was in flight.
    private var last = MonotonicTime.zero

    /// A push is sent while none is in flight.
    mutating func begin(at now: MonotonicTime) { last = now }

    mutating func add(_ seconds: Double, at now: MonotonicTime) {
        mean += (seconds - mean) / 16
        last = now
    }

    /// In seconds, while pushes are in flight: where no outcome comes, it grows.
    func seconds(at now: MonotonicTime) -> Double { max(mean, (now - last).inMilliseconds / 1000) }
}
