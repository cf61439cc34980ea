import APNSModel

/// Reads the `Date` of an HTTP answer in the form that servers must write: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 5.6.7).
/// The libraries for apps have their own reader, in PushDispatch, because App and Sender import nothing of each other.
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Seconds since 1970-01-01 UTC; nil for another form.
    package static func seconds(_ text: some StringProtocol) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT", words[1].count == 2, words[3].count == 4,
            let month = months.firstIndex(where: { $0 == words[2] })
        else { return nil }
        let number = month + 1 < 10 ? "0\(month + 1)" : "\(month + 1)"
        return TimeText.milliseconds(ofTime: "\(words[3])-\(number)-\(words[1])T\(words[4])Z").map { $0 / 1000 }
    }
}
