/// The dates of a Live Activity push, in seconds since 1970-01-01 UTC.
enum UnixDate {
    /// In the year 5138 as seconds, and in 1973 as milliseconds: from here on a number is no count of seconds.
    static let firstMilliseconds = 1e11

    /// 2001-01-01 UTC, from which Foundation counts.
    static let startOf2001: Int64 = 978_307_200

    /// Seconds since 2001 for 2022, when Live Activities came, to 2035. As seconds since 1970 they are long past.
    static let likelyFrom2001 = 662_688_000.0...1_104_537_600.0

    /// A span as a message has it.
    static func inHours(_ seconds: Double) -> String {
        let hours = (Int64(min(seconds, 1e12)) + 3599) / 3600
        return hours >= 72 ? "\(hours / 24) days" : "\(hours) hours"
    }
}
