import APNSModel

/// Writes times for messages, such as `2026-11-21T07:00:00Z`.
enum UTCDate {
    /// The years that X.509 can express, 0 to 9999.
    private static let writable: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// - Parameter seconds: Since 1970-01-01 UTC. Values outside the years of X.509 mean a time that cannot be read.
    static func text(_ seconds: Int64) -> String {
        guard writable.contains(seconds) else { return "an unreadable date" }
        let time = UTCTime(secondsSince1970: seconds)
        return "\(time.date)T\(time.clock)Z"
    }
}
