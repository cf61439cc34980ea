import APNSModel

extension Rule {
    public static let expirationFar = Rule(
        id: "expiration-far", severity: .note, layer: .delivery, stage: .headers,
        summary: "The expiration is at most 30 days ahead.",
        rationale: """
            APNs stores a notification for an offline device for at most 30 days, whatever the expiration is. This is \
            checked only if the current time is known: `apns validate` uses the clock or `--now`.
            """,
        source: RuleSource.sendingRequests,
        passes: [
            Example("{}", .alert, expiration: 1_769_817_600, now: 1_767_225_600), Example("{}", .alert, expiration: 0),
            Example("{}", .alert, expiration: 4_102_444_800),
            Example("{}", .alert, expiration: 1_798_761_600_000, now: 1_767_225_600),
        ],
        fails: [
            Example("{}", .alert, expiration: 1_769_817_601, now: 1_767_225_600),
            Example("{}", .alert, expiration: 1_798_761_600, now: 1_767_225_600),
        ]
    ) { notification, findings in
        // A number of 12 or more digits is probably not in seconds; expiration-milliseconds reports it.
        guard let now = notification.now, let text = notification.text(of: .expiration), text.utf8.count < 12,
            let seconds = Int64(text), seconds - now > Rule.longestStorage
        else { return }
        let days = (seconds - now) / 86_400
        findings.report(
            "apns-expiration is \(seconds), \(days == 30 ? "more than 30" : "\(days)") days ahead; APNs stores a "
                + "notification for 30 days at most", at: .header("apns-expiration"))
    }

    /// In seconds.
    private static let longestStorage: Int64 = 30 * 86_400
}
