/// Reads a date of ISO 8601 in the forms that services send, without a formatter.
enum FieldDate {
    /// Milliseconds since 1970-01-01 UTC; nil unless the whole text is a date that exists.
    static func milliseconds(_ text: String) -> Int64? {
        var reader = Reader(rest: Array(text.utf8)[...])
        return reader.read()
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func read() -> Int64? {
            guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
                (1...12).contains(month), (1...Reader.days(in: month, of: year)).contains(day)
            else { return nil }
            let midnight = Reader.days(year, month, day) * 86_400_000
            if rest.isEmpty { return midnight }
            guard take("T") || take(" "), let time = time(), let offset = offsetMinutes(), rest.isEmpty else {
                return nil
            }
            return midnight + time - offset * 60_000
        }

        /// Milliseconds since midnight. Seconds and their fraction may be missing.
        private mutating func time() -> Int64? {
            guard let hour = number(2), take(":"), let minute = number(2), hour < 24, minute < 60 else { return nil }
            var milliseconds = (hour * 60 + minute) * 60_000
            guard take(":") else { return milliseconds }
            guard let second = number(2), second < 60 else { return nil }
            milliseconds += second * 1_000
            guard take(".") else { return milliseconds }
            var count = 0
            var scale: Int64 = 100
            while let digit = number(1) {
                milliseconds += digit * scale
                scale /= 10
                count += 1
            }
            return (1...9).contains(count) ? milliseconds : nil
        }

        private mutating func offsetMinutes() -> Int64? {
            if rest.isEmpty || take("Z") { return 0 }
            let isEast = take("+")
            guard isEast || take("-"), let hours = number(2) else { return nil }
            _ = take(":")
            guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
            return (isEast ? 1 : -1) * (hours * 60 + minutes)
        }

        private mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        private mutating func number(_ digits: Int) -> Int64? {
            guard rest.count >= digits, rest.prefix(digits).allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            let number = rest.prefix(digits).reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
            rest.removeFirst(digits)
            return number
        }

        private static func days(in month: Int64, of year: Int64) -> Int64 {
            switch month {
            case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        }

        /// Days since 1970-01-01 in the Gregorian calendar, of a year from 0 to 9999.
        private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
            // Years begin in March here, so that the leap day is the last one. 400 years before 0 keep all terms positive.
            let shifted = (month > 2 ? year : year - 1) + 400
            let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
            return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468 - 146_097
        }
    }
}
