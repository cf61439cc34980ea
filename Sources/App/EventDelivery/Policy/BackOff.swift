/// The wait after a failure, which grows with each one in a row.
///
/// The wait after failure *n* is `min(maximum, base · 2^(n−1)) · (1 + r · jitter)`, with *r* from 0 to 1.
public struct BackOff: Hashable, Sendable {
    public var baseMilliseconds: Int64 = 500
    public var maximumMilliseconds: Int64 = 30_000
    /// The largest part of a wait that is added at random, from 0 to 1.
    public var jitter = 0.2
    /// The longest pause that a service can ask for.
    public var maximumRetryAfterMilliseconds: Int64 = 3_600_000

    public init() {}

    /// - Parameters:
    ///   - failures: From 1.
    ///   - random: Any number.
    func wait(afterFailures failures: Int, random: UInt64) -> Int64 {
        let longest = min(max(1, maximumMilliseconds), 1 << 40)
        let base = min(max(1, baseMilliseconds), longest)
        var wait = base
        for _ in 0..<min(max(0, failures - 1), 62) where wait < longest { wait = min(longest, wait << 1) }
        let share = jitter.isFinite ? min(max(0, jitter), 1) : 0
        let part = Double(random >> 11) / Double(1 << 53)
        return wait + Int64(Double(wait) * part * share)
    }
}

/// Stops the requests to a destination for a while after several failures in a row. One request is tried after that; if it
/// fails too, the pause starts again.
public struct Circuit: Hashable, Sendable {
    public var failures = 8
    public var openMilliseconds: Int64 = 120_000

    public init() {}
}
