import APNSModel

extension Rule {
    public static let expirationForPushType = Rule(
        id: "expiration-for-push-type", severity: .warning, layer: .delivery, stage: .headers,
        pushTypes: [.pushtotalk, .voip],
        summary: "A call says expiration 0 or a few seconds ahead, a talk burst 0.",
        rationale: """
            Without an expiration APNs keeps the push for a device that cannot be reached, and the phone rings when the \
            caller has long given up.
            """,
        source: RuleSource.pushKit,
        passes: [
            Example("{}", .voip, priority: 10, expiration: 0), Example("{}", .voip, expiration: 1_798_761_600),
            Example(#"{"aps":{}}"#, .pushtotalk, priority: 10, expiration: 0), Example("{}", .voip, kind: .payload),
            Example("{}", .alert),
        ],
        fails: [
            Example("{}", .voip, priority: 10), Example(#"{"aps":{}}"#, .pushtotalk, priority: 10),
            Example(#"{"aps":{}}"#, .pushtotalk, priority: 10, expiration: 1_798_761_600),
        ]
    ) { notification, findings in
        guard notification.envelope.hasKnownHeaders, let pushType = notification.pushType else { return }
        let isCall = pushType == .voip
        guard let expiration = notification.envelope.expiration else {
            return findings.report(
                "there is no apns-expiration, so APNs keeps the push for later; \(isCall ? "a call" : "a talk burst") needs "
                    + (isCall ? "0 or a few seconds ahead" : "0"), at: .header("apns-expiration"))
        }
        guard !isCall, let seconds = Int64(expiration), seconds > 0 else { return }
        findings.report(
            "apns-expiration is \(seconds); a talk burst is worth one attempt, which is 0",
            at: .header("apns-expiration"))
    }
}
