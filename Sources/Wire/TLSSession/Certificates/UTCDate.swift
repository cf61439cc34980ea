/// Writes times for messages, such as `2026-11-21T07:00:00Z`.
enum UTCDate {
    /// The years that X.509 can express, 0 to 9999.
    private static let writable: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// - Parameter seconds: Since 1970-01-01 UTC. Values outside the years of X.509 mean a time that cannot be read.
    static func text(_ seconds: Int64) -> String {
        guard writable.contains(seconds) else { return "an unreadable date" }
        let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let rest = seconds - days * 86_400
        let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
        // Here a year begins in March, so that the leap day is its last day; an era is 400 years.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let calendarMonth = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0)
        return "\(pad(year, 4))-\(pad(calendarMonth))-\(pad(day))T\(pad(hour)):\(pad(minute)):\(pad(second))Z"
    }

    private static func pad(_ number: Int64, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}
