/// A second of UTC by the Gregorian calendar, also before it was introduced.
package struct UTCTime: Hashable, Sendable {
    package let year: Int64
    package let month: Int64
    package let day: Int64
    /// Seconds since midnight.
    private let seconds: Int64

    package init(secondsSince1970 time: Int64) {
        let (days, seconds) = UTCTime.divide(time, by: 86_400)
        // Here a year begins in March, so that the leap day is its last day; an era is 400 years.
        let (era, dayOfEra) = UTCTime.divide(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        self.seconds = seconds
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Such as `2026-11-21`, for the years 0 to 9999.
    package var date: String { "\(UTCTime.pad(year, 4))-\(UTCTime.pad(month, 2))-\(UTCTime.pad(day, 2))" }

    /// Such as `07:58:00`.
    package var clock: String {
        [seconds / 3600, seconds / 60 % 60, seconds % 60].map { UTCTime.pad($0, 2) }.joined(separator: ":")
    }

    /// The number with zeros in front of it.
    static func pad(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Rounds down, so that the remainder is not negative.
    private static func divide(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
