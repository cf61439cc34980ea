import APNSModel

extension Rule {
    public static let pushTypeAbsent = Rule(
        id: "push-type-absent", severity: .note, layer: .delivery, stage: .headers, pushTypes: .absent,
        summary: "A notification for an app says its push type.",
        rationale: """
            Apple requires the push type since watchOS 6 and recommends it everywhere else. Without it APNs guesses from topic and \
            payload, and delivery may be late or not happen. Pushes for Wallet passes, websites and MDM have none.
            """,
        source: RuleSource.sendingRequests,
        passes: [
            Example(#"{"aps":{"alert":"Hi"}}"#, .alert, topic: "com.example.agent"),
            Example(#"{"aps":{"alert":"Hi"}}"#), Example("{}", topic: "pass.com.example.ticket"),
            Example("{}", topic: "com.example.agent.voip"), Example("{}", priority: 10),
        ],
        fails: [Example(#"{"aps":{"alert":"Hi"}}"#, topic: "com.example.agent")]
    ) { notification, findings in
        guard notification.envelope.hasKnownHeaders, !notification.envelope.isBroadcast,
            !notification.isCertificateTopic,
            notification.topicSuffix == ""
        else { return }
        findings.report(
            "there is no apns-push-type; say alert, background or what else it is", at: .header("apns-push-type"))
    }
}
