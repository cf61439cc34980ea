import APNSModel

/// The waits between attempts to connect.
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

    /// An attempt failed.
    ///
    /// - Returns: The wait before the next one: `first`, doubled for each failure before this one, at most `longest`, minus
    ///   a random part of up to a half.
    mutating func failed() -> Duration {
        failures += 1
        let longest = longest.wholeNanoseconds
        var wait = min(first.wholeNanoseconds, longest)
        for _ in 1..<failures where wait < longest { wait = wait > longest / 2 ? longest : wait * 2 }
        return .nanoseconds(wait - (wait > 1 ? Int64.random(in: 0...(wait / 2), using: &generator) : 0))
    }

    /// A connection that had worked broke.
    ///
    /// - Returns: The wait before it is replaced: `first`, at most `longest`, minus a random part of up to a half.
    mutating func pause() -> Duration {
        let wait = min(first.wholeNanoseconds, longest.wholeNanoseconds)
        return .nanoseconds(wait - (wait > 1 ? Int64.random(in: 0...(wait / 2), using: &generator) : 0))
    }

    mutating func succeeded() { failures = 0 }
}
