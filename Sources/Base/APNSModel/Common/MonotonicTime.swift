/// A time on a monotonic clock, in nanoseconds since an arbitrary start. Code without I/O takes it as a parameter; the real
/// time comes from the machine, and tests and simulations choose any.
public struct MonotonicTime: Hashable, Comparable, Sendable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static let zero = MonotonicTime(nanoseconds: 0)

    public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The later time. It stops at the largest value instead of overflowing.
    public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        time.advanced(byNanoseconds: duration.wholeNanoseconds)
    }

    /// The same for a duration that is added often. Splitting a `Duration`, which has 128 bits, shows in the sender's profile.
    package func advanced(byNanoseconds count: Int64) -> MonotonicTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
        return MonotonicTime(nanoseconds: overflow ? .max : sum)
    }

    /// The duration from `earlier` to this time.
    public static func - (time: MonotonicTime, earlier: MonotonicTime) -> Duration {
        .nanoseconds(time.nanoseconds - earlier.nanoseconds)
    }
}

extension Duration {
    /// The nanoseconds, limited to the range of Int64 (292 years).
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, overflowed) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflowed ? (seconds < 0 ? .min : .max) : sum
    }

    package var inMilliseconds: Double { Double(wholeNanoseconds) / 1_000_000 }
}
