/// A date and time of the CRM's clock, in milliseconds since 1970-01-01 UTC (docs/reference/selective-sync.md 6.8).
public struct ServerDate: Hashable, Comparable, Sendable, Codable {
    public var millisecondsSince1970: Int64

    public init(millisecondsSince1970: Int64) { self.millisecondsSince1970 = millisecondsSince1970 }

    public static func < (left: ServerDate, right: ServerDate) -> Bool {
        left.millisecondsSince1970 < right.millisecondsSince1970
    }

    /// Reads `2026-05-20T20:49:32.000+0000`; also with `Z` or `+00:00`, another offset, one to nine digits of fraction
    /// or none. Digits beyond milliseconds are dropped. Fails for anything else, such as a day that does not exist, a leap
    /// second, or a date without a time.
    public init?(_ text: String) {
        guard let milliseconds = DateReader.read(text) else { return nil }
        millisecondsSince1970 = milliseconds
    }

    /// False from the year 3000 on. Such a date in a record would make every real version of it look older, and such a mark
    /// would hide all later changes from the regular sync.
    var isPlausible: Bool { self < ServerDate.year3000 }

    private static let year3000 = ServerDate(
        millisecondsSince1970: days(year: 3_000, month: 1, day: 1) * dayMilliseconds)

    /// Clamped to the range of `Int64`.
    func advanced(byMilliseconds duration: Int64) -> ServerDate {
        let (sum, overflow) = millisecondsSince1970.addingReportingOverflow(duration)
        return ServerDate(millisecondsSince1970: overflow ? (duration < 0 ? .min : .max) : sum)
    }

    /// The last whole minute that is not later.
    var flooredToMinute: ServerDate {
        let rest = millisecondsSince1970 % 60_000
        return advanced(byMilliseconds: rest < 0 ? -60_000 - rest : -rest)
    }

    /// The form in the filter of a query: without quotes, in UTC.
    var queryLiteral: String { "\(description.dropLast("+0000".count))Z" }

    static let dayMilliseconds: Int64 = 86_400_000

    /// Days since 1970-01-01 in the proleptic Gregorian calendar.
    static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        // Years start in March here, so that the leap day is the last day; 400 years always have 146,097 days.
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The inverse of `days(year:month:day:)`.
    static func date(ofDay days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}

extension ServerDate: CustomStringConvertible {
    /// The form that the server writes: milliseconds, and an offset without a colon.
    public var description: String {
        let remainder = millisecondsSince1970 % ServerDate.dayMilliseconds
        let rest = remainder < 0 ? remainder + ServerDate.dayMilliseconds : remainder
        let days = millisecondsSince1970 / ServerDate.dayMilliseconds - (remainder < 0 ? 1 : 0)
        let date = ServerDate.date(ofDay: days)
        let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60].map { pad($0, 2) }.joined(separator: ":")
        return "\(pad(date.year, 4))-\(pad(date.month, 2))-\(pad(date.day, 2))T\(time).\(pad(rest % 1_000, 3))+0000"
    }

    private func pad(_ number: Int64, _ width: Int) -> String {
        let digits = String(number.magnitude)
        return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
