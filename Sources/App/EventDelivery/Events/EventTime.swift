import Foundation

/// The time of day at which an event was captured, in milliseconds since 1970-01-01 UTC.
///
/// The device's clock can be wrong and can jump. The queue stamps events with it and uses it for nothing else: order comes
/// from a number, waits from a monotonic clock.
public struct EventTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The device's clock.
    public static func now() -> EventTime {
        EventTime(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
    }

    public static func < (left: EventTime, right: EventTime) -> Bool { left.milliseconds < right.milliseconds }

    /// `yyyy-MM-dd'T'HH:mm:ss.SSS'Z'`, in UTC. A year outside 0 to 9999 is shown as the nearest time inside.
    public var description: String {
        let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999
        let time = min(max(milliseconds, range.lowerBound), range.upperBound)
        let day = EventTime.floor(time, 86_400_000)
        let rest = time - day * 86_400_000
        let date = EventTime.date(day)
        func pad(_ number: Int64, _ count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        return "\(pad(date.year, 4))-\(pad(date.month, 2))-\(pad(date.day, 2))T"
            + "\(pad(rest / 3_600_000, 2)):\(pad(rest / 60_000 % 60, 2)):\(pad(rest / 1_000 % 60, 2)).\(pad(rest % 1_000, 3))Z"
    }

    private static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value - divisor + 1) / divisor
    }

    /// The date of a day since 1970-01-01 in the Gregorian calendar.
    ///
    /// Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = floor(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let year = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let civilMonth = month < 10 ? month + 3 : month - 9
        return (year + era * 400 + (civilMonth <= 2 ? 1 : 0), civilMonth, day)
    }
}

/// When an event was captured, and the id that it keeps. Both usually stand in the event's body as well.
public struct EventStamp: Hashable, Sendable {
    public var id: EventID
    public var time: EventTime

    public init(id: EventID, time: EventTime) {
        self.id = id
        self.time = time
    }
}
