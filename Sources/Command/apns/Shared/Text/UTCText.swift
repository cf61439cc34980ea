/// Points in time as text, such as `2026-11-21 07:58:00 UTC`.
enum UTCText {
    /// - Parameter seconds: Since 1970-01-01 UTC. A time outside of the years 1 to 9999 is shown as this number.
    static func text(_ seconds: Int64) -> String {
        guard (-62_135_596_800...253_402_300_799).contains(seconds) else { return "\(seconds) s since 1970" }
        let (days, rest) = (floorDivide(seconds, 86_400), seconds - floorDivide(seconds, 86_400) * 86_400)
        let (year, month, day) = date(daysSince1970: days)
        let clock = [rest / 3600, rest / 60 % 60, rest % 60].map { pad($0, 2) }.joined(separator: ":")
        return "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2)) \(clock) UTC"
    }

    /// Counts in years that begin in March, so that the leap day is the last day of its year.
    private static func date(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468  // days since 0000-03-01
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor)
    }

    private static func pad(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}
