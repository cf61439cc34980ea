import PushDispatch

// The date format of HTTP.
extension ServerDate {
    /// Nil unless the whole string is a date that exists. The name of the day is not compared with the date.
    package init?(httpDate text: String) {
        guard let timestamp = HTTPDate.timestamp(text) else { return nil }
        self.init(timestamp)
    }

    /// Of a year with four digits; milliseconds are dropped.
    package var httpDate: String {
        let text = Array(description.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        let remainder = millisecondsSince1970 % ServerDate.dayMilliseconds
        let day = millisecondsSince1970 / ServerDate.dayMilliseconds - (remainder < 0 ? 1 : 0)
        // The first day of 1970 was a Thursday.
        let weekday = Int(((day + 4) % 7 + 7) % 7)
        let month = HTTPDate.months[(Int(part(5..<7)) ?? 1) - 1]
        return "\(HTTPDate.days[weekday]), \(part(8..<10)) \(month) \(part(0..<4)) \(part(11..<19)) GMT"
    }
}
