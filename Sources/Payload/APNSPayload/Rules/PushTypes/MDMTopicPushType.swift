import APNSModel

extension Rule {
    public static let mdmTopicPushType = Rule(
        id: "mdm-topic-push-type", severity: .error, layer: .device, stage: .headers,
        pushTypes: .any.subtracting([.mdm, .absent]),
        summary: "A push to the topic of an MDM certificate has push type mdm.",
        rationale: """
            A topic that begins with `com.apple.mgmt.` belongs to the management client of the device, which takes nothing \
            but the push magic of an MDM push. It shows no alert and wakes no app.
            """,
        source: RuleSource.mdm,
        passes: [
            Example(#"{"mdm":"B7C1"}"#, .mdm, topic: "com.apple.mgmt.External.5f2d1c3e-0b1a-4c6d-9e8f-112233445566"),
            Example(#"{"mdm":"B7C1"}"#, topic: "com.apple.mgmt.External.5f2d1c3e-0b1a-4c6d-9e8f-112233445566"),
            Example(#"{"aps":{"alert":"Hi"}}"#, .alert, topic: "com.example.agent"),
        ],
        fails: [
            Example(
                #"{"aps":{"alert":"Hi"}}"#, .alert,
                topic: "com.apple.mgmt.External.5f2d1c3e-0b1a-4c6d-9e8f-112233445566")
        ]
    ) { notification, findings in
        guard let topic = notification.text(of: .topic), topic.begins(with: "com.apple.mgmt."),
            let pushType = notification.pushType
        else { return }
        findings.report(
            "apns-push-type is \(notification.shown(text: pushType.rawValue)), and the topic is that of an MDM certificate, "
                + "which takes push type mdm only", at: .header("apns-push-type"))
    }
}
