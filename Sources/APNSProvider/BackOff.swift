import APNSModel

/// How long to wait before the next try to connect.
struct BackOff {
    let first: Duration
    let longest: Duration
    private(set) var failures = 0
    private var generator: SplitMix64

    init(first: Duration, longest: Duration, seed: UInt64) {
        self.first = first
        self.longest = longest
        generator = SplitMix64(state: seed)
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

    mutating func succeeded() { failures = 0 }
}

/// A small seeded generator: for jitter and ids, not for secrets. The same seed gives the same numbers, which the
/// simulation needs.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
