import APNSModel

/// Durations as text for people.
enum DurationText {
    /// Short, with two or three significant digits: `3.1 ms`, `0.84 s`, `12.5 s`, `3 min 20 s`.
    static func short(_ duration: Duration) -> String {
        let milliseconds = duration.inMilliseconds
        switch milliseconds {
        case ..<100: return "\(decimal(milliseconds, places: 1)) ms"
        case ..<10_000: return "\(decimal(milliseconds / 1000, places: 2)) s"
        case ..<60_000: return "\(decimal(milliseconds / 1000, places: 1)) s"
        default:
            let seconds = Int64(milliseconds / 1000)
            return "\(seconds / 60) min \(seconds % 60) s"
        }
    }

    /// The two largest units of whole seconds: `45 seconds`, `61 minutes 5 seconds`, `3 hours 2 minutes`, `2 days`.
    /// Up to two hours are shown in minutes, as Apple states the limits of provider tokens.
    static func words(seconds: Int64) -> String {
        let seconds = seconds.magnitude
        switch seconds {
        case ..<60: return count(seconds, "second")
        case ..<7200: return pair(seconds, 60, "minute", "second")
        case ..<172_800: return pair(seconds / 60, 60, "hour", "minute")
        default: return pair(seconds / 3600, 24, "day", "hour")
        }
    }

    /// A number with 1 or 2 decimal places; a negative one counts as 0.
    static func decimal(_ value: Double, places: Int) -> String {
        let scale: Int64 = places == 1 ? 10 : 100
        let scaled = Int64(min(max(value, 0) * Double(scale), 9e15).rounded())
        let fraction = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
    }

    private static func pair(_ value: UInt64, _ size: UInt64, _ large: String, _ small: String) -> String {
        let rest = value % size
        return count(value / size, large) + (rest == 0 ? "" : " " + count(rest, small))
    }

    private static func count(_ value: UInt64, _ unit: String) -> String { "\(value) \(unit)\(value == 1 ? "" : "s")" }
}
