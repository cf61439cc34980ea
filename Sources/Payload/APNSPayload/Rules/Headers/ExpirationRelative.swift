import APNSModel

extension Rule {
    public static let expirationRelative = Rule(
        id: "expiration-relative", severity: .warning, layer: .delivery, stage: .headers,
        summary: "The expiration is a point in time, not a span.",
        rationale: """
            3600 does not mean an hour from now but one o'clock on 1970-01-01. A time that has passed most likely means one \
            attempt without storage. Add the span to the present time, or write 0 if one attempt is wanted.
            """,
        source: RuleSource.sendingRequests,
        passes: [Example("{}", .alert, expiration: 0), Example("{}", .alert, expiration: 1_798_761_600)],
        fails: [Example("{}", .alert, expiration: 3600), Example("{}", .alert, expiration: 2_592_000)]
    ) { notification, findings in
        // APNs did not exist before 2009, and a span as long as this is more than 31 years.
        guard let text = notification.envelope.expiration, text.utf8.count < 10, let seconds = Int(text),
            seconds > 0
        else { return }
        findings.report(
            "apns-expiration is \(seconds), a time before APNs existed; for a span add the present time, for one attempt "
                + "write 0", at: .header("apns-expiration"))
    }
}
