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

    /// How long something still takes, in whole seconds, minutes or hours: `12 s`, `3 min 20 s`, `2 h 5 min`.
    static func rest(_ duration: Duration) -> String {
        let seconds = Int64((max(duration.inMilliseconds, 0) / 1000).rounded(.up))
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
        default: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
        }
    }

    /// A number with 1 or 2 decimal places; a negative one counts as 0.
    static func decimal(_ value: Double, places: Int) -> String {
        let (whole, part) = parts(value, scale: places == 1 ? 10 : 100)
        let fraction = String(part)
        return "\(whole)." + String(repeating: "0", count: places - fraction.count) + fraction
    }

    /// The whole number, and the rounded rest in parts of `scale`; a negative one counts as 0.
    static func parts(_ value: Double, scale: Int) -> (whole: Int, part: Int) {
        let scaled = Int(min(max(value, 0) * Double(scale), 9e15).rounded())
        return (scaled / scale, scaled % scale)
    }
}
