import APNSModel

extension Rule {
    public static let pushTypeAbsent = Rule(
        id: "push-type-absent", severity: .note, layer: .delivery, stage: .headers, pushTypes: .absent,
        summary: "A notification for an app has a push type.",
        rationale: """
            Apple requires the push type for watchOS 6 and later and recommends it everywhere else. Without it APNs \
            infers the push type from topic and payload, and the push may be late or dropped. Pushes for Wallet \
            passes, websites and MDM have no push type.
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
            "there is no apns-push-type; add it, for example alert or background", at: .header("apns-push-type"))
    }
}
