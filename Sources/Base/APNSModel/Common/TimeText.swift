/// Durations and times as users write and read them (docs/reference/interfaces.md section 2): `250ms`, `5s`, `55m`,
/// `2h`, `30d`; RFC 3339 or Unix seconds.
package enum TimeText {
    /// The form of a duration, for messages.
    package static let durationForm = "a duration such as 250ms, 5s, 55m, 2h or 30d"

    /// - Returns: Milliseconds; negative behind a minus sign. Nil for a text that is not a duration or is longer than
    ///   the time from 1970 to 9999.
    package static func milliseconds(ofDuration text: some StringProtocol) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let digits = text.dropFirst(isNegative ? 1 : 0).prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst((isNegative ? 1 : 0) + digits.count)
        guard let number = Int64(digits), let length = units.first(where: { unit == $0.name })?.milliseconds else {
            return nil
        }
        let (product, overflow) = number.multipliedReportingOverflow(by: length)
        guard !overflow, product <= latest else { return nil }
        return isNegative ? -product : product
    }

    /// The duration in the largest unit that it is a whole number of.
    package static func duration(_ milliseconds: Int64) -> String {
        let unit = units.last { milliseconds.isMultiple(of: $0.milliseconds) && milliseconds != 0 } ?? units[1]
        return "\(milliseconds / unit.milliseconds)\(unit.name)"
    }

    private static let units: [(name: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// - Returns: Milliseconds since 1970-01-01 UTC; further digits are cut off. Nil for a string that is neither
    ///   RFC 3339 nor Unix seconds, and for times before 1970 and after 9999.
    package static func milliseconds(ofTime text: some StringProtocol) -> Int64? {
        if let seconds = Int64(text), !text.hasPrefix("+") {
            return (0...latest / 1000).contains(seconds) ? seconds * 1000 : nil
        }
        return rfc3339(Array(text.utf8))
    }

    /// - Parameter milliseconds: Since 1970-01-01 UTC, before the year 10000.
    /// - Returns: RFC 3339 in UTC with three digits behind the second, such as `2026-11-21T07:00:00.000Z`.
    package static func text(_ milliseconds: Int64) -> String {
        let time = min(max(milliseconds, 0), latest)
        let utc = UTCTime(secondsSince1970: time / 1000)
        return "\(utc.date)T\(utc.clock).\(UTCTime.pad(time % 1000, 3))Z"
    }

    /// The last millisecond of the year 9999.
    private static let latest: Int64 = 253_402_300_799_999

    private static func rfc3339(_ text: [UInt8]) -> Int64? {
        guard text.count >= 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            "Tt ".utf8.contains(text[10]), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            let year = number(text[0..<4]), let month = number(text[5..<7]), let day = number(text[8..<10]),
            let hour = number(text[11..<13]), let minute = number(text[14..<16]), let second = number(text[17..<19]),
            year >= 1970, (1...12).contains(month), day >= 1, day <= daysOf(month: month, year), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        var rest = text[19...]
        var milliseconds: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard (1...9).contains(digits.count) else { return nil }
            for position in 0..<3 {
                let index = digits.startIndex + position
                milliseconds = milliseconds * 10 + (index < digits.endIndex ? Int64(digits[index]) - 0x30 : 0)
            }
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let offset = offset(rest) else { return nil }
        let seconds = ((days(year, month, day) * 24 + hour) * 60 + minute - offset) * 60 + min(second, 59)
        let time = seconds * 1000 + milliseconds
        return (0...latest).contains(time) ? time : nil
    }

    /// Minutes east of UTC.
    private static func offset(_ text: ArraySlice<UInt8>) -> Int64? {
        let text = Array(text)
        if text == [UInt8(ascii: "Z")] || text == [UInt8(ascii: "z")] { return 0 }
        guard text.count == 6, text[3] == UInt8(ascii: ":"), let hours = number(text[1..<3]),
            let minutes = number(text[4..<6]), hours < 24, minutes < 60
        else { return nil }
        switch text[0] {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var value: Int64 = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int64(digit) - 0x30
        }
        return value
    }

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func daysOf(month: Int64, _ year: Int64) -> Int64 {
        month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days from 1970-01-01 to a date.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let before = year - 1
        let untilYear = 365 * (year - 1970) + (before / 4 - before / 100 + before / 400) - 477
        return (1..<month).reduce(untilYear) { $0 + daysOf(month: $1, year) } + day - 1
    }
}
