import APNSModel

/// How long to wait before the next try to connect.
struct BackOff {
    let first: Duration
    let longest: Duration
    private(set) var failures = 0
    private var generator: SeededGenerator

    init(first: Duration, longest: Duration, seed: UInt64) {
        self.first = first
        self.longest = longest
        generator = SeededGenerator(seed: seed)
    }

    /// One more try failed.
    ///
    /// - Returns: The wait before the next one: `first`, doubled for each failure before this one, at most `longest`, of
    ///   which a random part of up to a half is taken off.
    mutating func failed() -> Duration {
        failures += 1
        let longest = longest.wholeNanoseconds
        var wait = min(first.wholeNanoseconds, longest)
        for _ in 1..<failures where wait < longest { wait = wait > longest / 2 ? longest : wait * 2 }
        return .nanoseconds(wait - (wait > 1 ? Int64.random(in: 0...(wait / 2), using: &generator) : 0))
    }

    /// A good connection broke: the wait before it is replaced, from a half of `first` to all of it.
    mutating func pause() -> Duration {
        let wait = min(first.wholeNanoseconds, longest.wholeNanoseconds)
        return .nanoseconds(wait - (wait > 1 ? Int64.random(in: 0...(wait / 2), using: &generator) : 0))
    }

    mutating func succeeded() { failures = 0 }
}
