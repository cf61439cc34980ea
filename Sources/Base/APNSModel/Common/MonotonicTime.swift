/// A moment on a clock that never jumps, in nanoseconds since a start that means nothing by itself. The cores take it as
/// a parameter; the shells read it from the machine, tests and the simulation make it up.
public struct MonotonicTime: Hashable, Comparable, Sendable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static let zero = MonotonicTime(nanoseconds: 0)

    public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The later moment; stops at the largest value instead of overflowing.
    public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        time.advanced(byNanoseconds: duration.wholeNanoseconds)
    }

    /// The same for whoever adds one duration many times: a `Duration` has 128 bits, and taking it apart shows in the
    /// sender's profile.
    package func advanced(byNanoseconds count: Int64) -> MonotonicTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(count)
        return MonotonicTime(nanoseconds: overflow ? .max : sum)
    }

    /// How long after `earlier` this moment is.
    public static func - (time: MonotonicTime, earlier: MonotonicTime) -> Duration {
        .nanoseconds(time.nanoseconds - earlier.nanoseconds)
    }
}

extension Duration {
    /// Nanoseconds, cut to the range of Int64 (292 years).
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, overflowed) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflowed ? (seconds < 0 ? .min : .max) : sum
    }

    package var inMilliseconds: Double { Double(wholeNanoseconds) / 1_000_000 }
}
