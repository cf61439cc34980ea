/// A date in `aps`: whole seconds since 1970-01-01 UTC. Dates inside a `content-state` are none of these; a device decodes
/// them as seconds since 2001.
public struct PushDate: Hashable, Sendable, Comparable {
    public let secondsSince1970: Int64

    /// Fails for a negative number, and for one above 99,999,999,999 (in the year 5138), which can only be milliseconds.
    ///
    /// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
    public init?(secondsSince1970: Int64) {
        guard (0...PushDate.maximum).contains(secondsSince1970) else { return nil }
        self.secondsSince1970 = secondsSince1970
    }

    /// So many seconds later, at most at the end of the range.
    public func adding(seconds: Int64) -> PushDate {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        let end = seconds < 0 ? 0 : PushDate.maximum
        return PushDate(known: overflow ? end : min(max(sum, 0), PushDate.maximum))
    }

    /// As milliseconds it would be a day of 1973.
    static let maximum: Int64 = 99_999_999_999

    private init(known: Int64) { secondsSince1970 = known }

    public static func < (left: PushDate, right: PushDate) -> Bool { left.secondsSince1970 < right.secondsSince1970 }
}

extension PushDate: ExpressibleByIntegerLiteral {
    public init(integerLiteral seconds: Int64) {
        precondition(PushDate(secondsSince1970: seconds) != nil, "\(seconds) are no seconds since 1970")
        secondsSince1970 = seconds
    }
}
