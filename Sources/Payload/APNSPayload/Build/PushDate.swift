/// A date in `aps`: whole seconds since 1970-01-01 UTC. Not for dates inside a `content-state`, which a device decodes
/// as seconds since 2001.
public struct PushDate: Hashable, Sendable, Comparable {
    public let secondsSince1970: Int64

    /// Fails for a negative number, and for one above 99,999,999,999 (in the year 5138), which is probably in
    /// milliseconds.
    ///
    /// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
    public init?(secondsSince1970: Int64) {
        guard (0...PushDate.maximum).contains(secondsSince1970) else { return nil }
        self.secondsSince1970 = secondsSince1970
    }

    /// This date plus `seconds`, limited to the valid range.
    public func adding(seconds: Int64) -> PushDate {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        let end = seconds < 0 ? 0 : PushDate.maximum
        return PushDate(known: overflow ? end : min(max(sum, 0), PushDate.maximum))
    }

    /// In milliseconds it is a day in 1973.
    static let maximum: Int64 = 99_999_999_999

    private init(known: Int64) { secondsSince1970 = known }

    public static func < (left: PushDate, right: PushDate) -> Bool { left.secondsSince1970 < right.secondsSince1970 }
}

extension PushDate: ExpressibleByIntegerLiteral {
    public init(integerLiteral seconds: Int64) {
        precondition(PushDate(secondsSince1970: seconds) != nil, "\(seconds) is not a date in seconds since 1970")
        secondsSince1970 = seconds
    }
}
