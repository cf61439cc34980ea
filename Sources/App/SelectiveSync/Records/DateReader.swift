/// Reads a date-time, byte by byte.
struct DateReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Milliseconds since 1970-01-01 UTC; nil unless the whole string is a date-time that exists.
    static func read(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { bytes in
            var reader = DateReader(bytes: bytes)
            return reader.read()
        }
    }

    private mutating func read() -> Int64? {
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2), take("T"),
            let hour = number(2), take(":"), let minute = number(2), take(":"), let second = number(2),
            let fraction = fraction(), let offset = offsetMinutes(), position == bytes.count,
            (1...12).contains(month), (1...DateReader.days(inMonth: month, of: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let seconds = (hour * 60 + minute - offset) * 60 + second
        return ServerDate.days(year: year, month: month, day: day) * ServerDate.dayMilliseconds + seconds * 1_000
            + fraction
    }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func digit() -> Int64? {
        guard position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) else {
            return nil
        }
        position += 1
        return Int64(bytes[position - 1] - UInt8(ascii: "0"))
    }

    private mutating func number(_ digits: Int) -> Int64? {
        var number: Int64 = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Milliseconds; 0 without a fraction, nil for a point that is followed by no digit or by more than nine.
    private mutating func fraction() -> Int64? {
        guard take(".") else { return 0 }
        var milliseconds: Int64 = 0
        var count = 0
        while let digit = digit() {
            count += 1
            if count <= 3 { milliseconds = milliseconds * 10 + digit }
        }
        guard (1...9).contains(count) else { return nil }
        for _ in min(count, 3)..<3 { milliseconds *= 10 }
        return milliseconds
    }

    private mutating func offsetMinutes() -> Int64? {
        if take("Z") { return 0 }
        let isEast = take("+")
        guard isEast || take("-"), let hours = number(2) else { return nil }
        _ = take(":")
        guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
        return (isEast ? 1 : -1) * (hours * 60 + minutes)
    }
}
