/// A moment on a monotonic clock, in milliseconds since an arbitrary start.
public struct DispatchMoment: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (left: DispatchMoment, right: DispatchMoment) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The later moment, or the end of the range instead of an overflow.
    public func advanced(byMilliseconds duration: Int64) -> DispatchMoment {
        let (sum, overflow) = milliseconds.addingReportingOverflow(duration)
        return DispatchMoment(milliseconds: overflow ? (duration < 0 ? .min : .max) : sum)
    }

    /// Milliseconds from `earlier` to this moment, negative if this one comes first.
    public func milliseconds(since earlier: DispatchMoment) -> Int64 {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(earlier.milliseconds)
        return overflow ? (milliseconds < earlier.milliseconds ? .min : .max) : difference
    }
}
