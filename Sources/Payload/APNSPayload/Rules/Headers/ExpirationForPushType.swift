import APNSModel

extension Rule {
    public static let expirationForPushType = Rule(
        id: "expiration-for-push-type", severity: .warning, layer: .delivery, stage: .headers,
        pushTypes: [.pushtotalk, .voip],
        summary: "A VoIP push expires at once or within seconds, and a Push to Talk push at once.",
        rationale: """
            Without an expiration APNs stores the push for an offline device, and the phone rings after the caller has \
            given up.
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
                "there is no apns-expiration, so APNs stores the push; "
                    + (isCall ? "a VoIP push needs 0 or a time a few seconds ahead" : "a Push to Talk push needs 0"),
                at: .header("apns-expiration"))
        }
        guard !isCall, let seconds = Int64(expiration), seconds > 0 else { return }
        findings.report(
            "apns-expiration is \(seconds); a Push to Talk push needs 0, which is one attempt",
            at: .header("apns-expiration"))
    }
}
