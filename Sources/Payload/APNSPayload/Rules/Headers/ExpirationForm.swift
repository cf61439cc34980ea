import APNSModel

extension Rule {
    public static let expirationForm = Rule(
        id: "expiration-form", severity: .error, layer: .gateway, refusal: .badExpirationDate, stage: .headers,
        summary: "The expiration is a whole number of seconds since 1970, or 0.",
        rationale: """
            `apns-expiration` is the Unix time in seconds (UTC) until which APNs stores the notification for an \
            offline device. 0 asks for one attempt. Formatted dates and fractions are not accepted.
            """,
        source: RuleSource.sendingRequests,
        passes: [
            Example("{}", .alert, expiration: 0), Example("{}", .alert, expiration: 1_798_761_600),
            Example("{}", .alert),
        ],
        fails: [
            Example("{}", .alert, expiration: "2026-12-31T00:00:00Z"),
            Example("{}", .alert, expiration: "1798761600.5"),
            Example("{}", .alert, expiration: "1h"), Example("{}", .alert, expiration: ""),
        ]
    ) { notification, findings in
        guard let text = notification.text(of: .expiration), !text.isWholeNumber else { return }
        findings.report(
            "apns-expiration is \(notification.shown(text: text)); it must be in whole seconds since 1970 (UTC), or "
                + "0 for one attempt", at: .header("apns-expiration"), correction: text.wholeNumberDigits)
    }
}

extension String {
    /// Whether the string consists of digits, with an optional minus sign before them.
    fileprivate var isWholeNumber: Bool {
        var digits = utf8[...]
        if digits.first == UInt8(ascii: "-") { digits.removeFirst() }
        return !digits.isEmpty && digits.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }
}
