/// Limits for the dates of a Live Activity push, in seconds since 1970-01-01 UTC.
enum UnixDate {
    /// From here on a number is not in seconds: it would be in the year 5138, and in milliseconds it is in 1973.
    static let firstMilliseconds = 1e11

    /// 2001-09-09 UTC. An example of Apple has a timestamp of 2007, so one before the first Live Activities is not an
    /// error.
    static let earliestTimestamp = 1_000_000_000.0

    /// 2001-01-01 UTC, the reference date of Foundation.
    static let startOf2001: Int64 = 978_307_200

    /// Seconds since 2001 for 2022, the first year of Live Activities, to 2035. As seconds since 1970 they are before
    /// 2005.
    static let likelyFrom2001 = 662_688_000.0...1_104_537_600.0

    /// From 2100 on. With more digits it is in milliseconds.
    static let afterThisCentury = 4_102_444_800.0..<firstMilliseconds

    /// A duration for a message.
    static func inHours(_ seconds: Double) -> String {
        let hours = (Int64(min(seconds, 1e12)) + 3599) / 3600
        return hours >= 72 ? "\(hours / 24) days" : "\(hours) hours"
    }
}
