import APNSModel

/// Times in messages, such as `2026-11-21 07:00:00 UTC`.
enum UTCDateText {
    /// - Parameter seconds: Since 1970-01-01 UTC. A time outside of the years 0 to 9999 is unreadable.
    static func text(_ seconds: Int64) -> String {
        guard (-62_167_219_200...253_402_300_799).contains(seconds) else { return "an unreadable date" }
        let time = UTCTime(secondsSince1970: seconds)
        return "\(time.date) \(time.clock) UTC"
    }

    /// A difference of times for people: `3 s`, `12 min`, `5 h`, `40 days`.
    static func duration(_ seconds: Int64) -> String {
        switch seconds.magnitude {
        case ..<120: "\(seconds.magnitude) s"
        case ..<7_200: "\(seconds.magnitude / 60) min"
        case ..<172_800: "\(seconds.magnitude / 3600) h"
        default: "\(seconds.magnitude / 86_400) days"
        }
    }
}
