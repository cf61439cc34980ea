import APNSModel

extension Rule {
    public static let expirationNegative = Rule(
        id: "expiration-negative", severity: .warning, layer: .gateway, refusal: .badExpirationDate, stage: .headers,
        summary: "The expiration is not negative.",
        rationale: """
            A time before 1970 makes no sense. APNs probably answers BadExpirationDate, and this package does not send \
            such a value. 0 asks for one attempt.
            """,
        source: RuleSource.sendingRequests,
        passes: [Example("{}", .alert, expiration: 0)], fails: [Example("{}", .alert, expiration: "-1")]
    ) { notification, findings in
        guard let text = notification.envelope.expiration, text.begins(with: "-"), text.utf8.count > 1,
            text.utf8.dropFirst().allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
        else { return }
        findings.report(
            "apns-expiration is \(notification.shown(text: text)); write 0 for one attempt, or the time in seconds since 1970",
            at: .header("apns-expiration"))
    }
}
