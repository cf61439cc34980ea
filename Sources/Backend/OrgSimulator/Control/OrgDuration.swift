/// Durations as users write them: `250ms`, `5s`, `55m`, `2h`, `30d`.
package enum OrgDuration {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    package static let form = "a duration such as 250ms, 5s, 55m, 2h or 30d"

    /// - Returns: Milliseconds, negative after a minus sign; nil if the string is not a duration or exceeds the time
    ///   from 1970 to 9999.
    package static func milliseconds(_ text: String) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let rest = text.dropFirst(isNegative ? 1 : 0)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        let unit = rest.dropFirst(digits.count)
        guard let number = Int64(digits), let length = units.first(where: { unit == $0.name })?.milliseconds else {
            return nil
        }
        let (product, overflow) = number.multipliedReportingOverflow(by: length)
        guard !overflow, product <= OrgClock.range.upperBound else { return nil }
        return isNegative ? -product : product
    }
}
