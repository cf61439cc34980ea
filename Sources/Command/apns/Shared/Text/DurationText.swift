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

    /// A number with 1 or 2 decimal places; a negative one counts as 0.
    static func decimal(_ value: Double, places: Int) -> String {
        let scale: Int64 = places == 1 ? 10 : 100
        let scaled = Int64(min(max(value, 0) * Double(scale), 9e15).rounded())
        let fraction = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
    }
}
