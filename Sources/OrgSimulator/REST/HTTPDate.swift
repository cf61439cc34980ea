import SelectiveSync

/// A moment as headers of HTTP write it: `Wed, 20 May 2026 20:49:32 GMT` (RFC 9110, 5.6.7).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// The first day of 1970 was a Thursday.
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// To the second, what is finer cut off.
    static func text(_ date: ServerDate) -> String {
        let parts = date.description.split(separator: "T")
        let day = parts[0].split(separator: "-")
        guard parts.count == 2, day.count == 3, let month = Int(day[1]) else { return date.description }
        let weekday = weekdays[Int(((date.day % 7) + 7) % 7)]
        return "\(weekday), \(day[2]) \(months[month - 1]) \(day[0]) \(parts[1].prefix(8)) GMT"
    }

    /// Nil for anything but the one form that is to be sent.
    static func date(_ text: String) -> ServerDate? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].hasSuffix(","), weekdays.contains(String(parts[0].dropLast())),
            let month = months.firstIndex(of: String(parts[2])), parts[5] == "GMT"
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return ServerDate("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }
}
