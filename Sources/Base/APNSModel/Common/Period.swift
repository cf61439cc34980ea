/// Durations as text for people.
package enum Period {
    /// Seconds up to two minutes, then minutes, then hours, then days, with the next smaller unit where it is not zero. The
    /// sign is not shown.
    package static func text(_ seconds: Int64) -> String {
        let seconds = seconds.magnitude
        let units: [(name: String, length: UInt64)] = [("second", 1), ("minute", 60), ("hour", 3600), ("day", 86_400)]
        let unit = (1..<4).last { seconds >= 2 * units[$0].length } ?? 0
        let whole = seconds / units[unit].length
        let text = count(whole, units[unit].name)
        guard unit > 0 else { return text }
        let rest = seconds % units[unit].length / units[unit - 1].length
        return rest == 0 ? text : "\(text) \(count(rest, units[unit - 1].name))"
    }

    /// Rounded up to a second, so that a wait is never given as 0 seconds.
    package static func text(milliseconds: Int64) -> String { text((milliseconds + 999) / 1000) }

    private static func count(_ number: UInt64, _ unit: String) -> String {
        "\(number) \(unit)\(number == 1 ? "" : "s")"
    }
}
