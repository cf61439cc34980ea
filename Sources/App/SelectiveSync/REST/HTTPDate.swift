/// The date format of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7). The two obsolete formats are not read.
package enum HTTPDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Nil unless the whole string is a date that exists. The name of the day is not compared with the date.
    package static func read(_ text: String) -> ServerDate? {
        let parts = text.utf8.count == 29 ? text.split(separator: " ", omittingEmptySubsequences: false) : []
        guard parts.count == 6, parts[0].last == ",", days.contains(String(parts[0].dropLast())),
            parts[1].utf8.count == 2, let month = months.firstIndex(of: String(parts[2])), parts[3].utf8.count == 4,
            parts[4].utf8.count == 8, parts[5] == "GMT"
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return ServerDate("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }

    /// - Parameter date: Of a year with four digits; milliseconds are dropped.
    package static func write(_ date: ServerDate) -> String {
        let text = Array(date.description.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        let milliseconds = date.millisecondsSince1970
        let remainder = milliseconds % ServerDate.dayMilliseconds
        let day = milliseconds / ServerDate.dayMilliseconds - (remainder < 0 ? 1 : 0)
        // The first day of 1970 was a Thursday.
        let weekday = Int(((day + 4) % 7 + 7) % 7)
        let month = months[(Int(part(5..<7)) ?? 1) - 1]
        return "\(days[weekday]), \(part(8..<10)) \(month) \(part(0..<4)) \(part(11..<19)) GMT"
    }
}
