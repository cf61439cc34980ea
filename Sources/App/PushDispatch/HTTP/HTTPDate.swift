/// The date format of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7). The two obsolete formats are not read.
package enum HTTPDate {
    package static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    package static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The same date as `1994-11-06T08:49:37Z`, for what reads the dates of a library; nil for another format. Whether the
    /// date exists is left to that reader. The name of the day is not compared with the date.
    package static func timestamp(_ text: String) -> String? {
        let parts = text.utf8.count == 29 ? text.split(separator: " ", omittingEmptySubsequences: false) : []
        guard parts.count == 6, parts[0].last == ",", days.contains(String(parts[0].dropLast())),
            parts[1].utf8.count == 2, let month = months.firstIndex(of: String(parts[2])), parts[3].utf8.count == 4,
            parts[4].utf8.count == 8, parts[5] == "GMT"
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z"
    }
}
