import APNSModel

extension Rule {
    public static let pushTypeAbsent = Rule(
        id: "push-type-absent", severity: .note, layer: .delivery, stage: .headers, pushTypes: .absent,
        summary: "A notification for an app has a push type.",
        rationale: """
            Apple requires the push type for watchOS 6 and later and recommends it everywhere else. Without it APNs \
            infers the push type from topic and payload, and the push may be late or dropped; only a stated push type voip \
            raises the limit of the payload. Pushes for Wallet passes, websites and MDM have no push type.
            """,
        source: RuleSource.sendingRequests,
        passes: [
            Example(#"{"aps":{"alert":"Hi"}}"#, .alert, topic: "com.example.agent"),
            Example(#"{"aps":{"alert":"Hi"}}"#), Example("{}", topic: "pass.com.example.ticket"),
            Example("{}", topic: "com.example.agent.complication"), Example("{}", priority: 10),
        ],
        fails: [
            Example(#"{"aps":{"alert":"Hi"}}"#, topic: "com.example.agent"),
            Example("{}", topic: "com.example.agent.voip"),
        ]
    ) { notification, findings in
        guard notification.envelope.hasKnownHeaders, !notification.envelope.isBroadcast,
            !notification.isCertificateTopic,
            let suffix = notification.topicSuffix, suffix.isEmpty || suffix == PushType.voip.topicSuffix
        else { return }
        let example = suffix.isEmpty ? "for example alert or background" : "voip for a VoIP push"
        findings.report("there is no apns-push-type; add it, \(example)", at: .header("apns-push-type"))
    }
}
