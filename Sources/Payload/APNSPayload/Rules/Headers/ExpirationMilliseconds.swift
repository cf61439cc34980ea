import APNSModel

extension Rule {
    public static let expirationMilliseconds = Rule(
        id: "expiration-milliseconds", severity: .warning, layer: .delivery, stage: .headers,
        summary: "The expiration is in seconds, not in milliseconds.",
        rationale: """
            A current time in milliseconds, read as seconds, is far in the future, so APNs stores the notification for \
            its maximum of 30 days. JavaScript and Java count milliseconds; divide by 1000.
            """,
        source: RuleSource.sendingRequests,
        passes: [Example("{}", .alert, expiration: 1_798_761_600), Example("{}", .alert, expiration: 0)],
        fails: [
            Example("{}", .alert, expiration: 1_798_761_600_000), Example("{}", .alert, expiration: "1798761600000000"),
            Example("{}", .alert, expiration: "17987616000000000000000"),
        ]
    ) { notification, findings in
        // The first number of 12 digits is the year 5138.
        guard let text = notification.envelope.expiration, text.utf8.count >= 12,
            text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
        else { return }
        let unit =
            switch text.utf8.count {
            case 12...14: "milliseconds"
            case 15...17: "microseconds"
            case 18...20: "nanoseconds"
            default: String?.none
            }
        let found = unit.map { "which looks like \($0)" } ?? "which is not a time"
        findings.report(
            "apns-expiration is \(notification.shown(text: text)), \(found); it must be a time in seconds",
            at: .header("apns-expiration"),
            correction: text.utf8.count == 13 && text.hasSuffix("000") ? String(text.dropLast(3)) : nil)
    }
}
