import APNSModel

/// Points in time as text, such as `2026-11-21 07:58:00 UTC`.
enum UTCText {
    /// - Parameter seconds: Since 1970-01-01 UTC. A time outside of the years 1 to 9999 is shown as this number.
    static func text(_ seconds: Int64) -> String {
        guard (-62_135_596_800...253_402_300_799).contains(seconds) else { return "\(seconds) s since 1970" }
        let time = UTCTime(secondsSince1970: seconds)
        return "\(time.date) \(time.clock) UTC"
    }
}
