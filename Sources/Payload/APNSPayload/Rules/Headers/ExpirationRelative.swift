import APNSModel

extension Rule {
    public static let expirationRelative = Rule(
        id: "expiration-relative", severity: .warning, layer: .delivery, stage: .headers,
        summary: "The expiration is a point in time, not a duration.",
        rationale: """
            3600 does not mean in one hour but 01:00 on 1970-01-01. A time in the past probably means one attempt \
            without storage. Add the duration to the current time, or write 0 if one attempt is wanted.
            """,
        source: RuleSource.sendingRequests,
        passes: [Example("{}", .alert, expiration: 0), Example("{}", .alert, expiration: 1_798_761_600)],
        fails: [Example("{}", .alert, expiration: 3600), Example("{}", .alert, expiration: 2_592_000)]
    ) { notification, findings in
        // APNs has existed since 2009, and a duration of 10 digits is more than 31 years.
        guard let text = notification.envelope.expiration, text.utf8.count < 10, let seconds = Int(text),
            seconds > 0
        else { return }
        findings.report(
            "apns-expiration is \(seconds), a time before APNs existed; add the current time to a duration, or "
                + "write 0 for one attempt", at: .header("apns-expiration"))
    }
}
