import APNSModel

extension Rule {
    public static let mdmTopic = Rule(
        id: "mdm-topic", severity: .warning, layer: .gateway, stage: .headers, pushTypes: .mdm,
        summary: "The topic of an MDM push is that of the MDM push certificate and begins with `com.apple.mgmt.`.",
        rationale: """
            The push wakes the management client of the device, not an app. The topic is the UID in the subject of the \
            MDM push certificate, such as `com.apple.mgmt.External.` with a UUID.
            """,
        source: RuleSource.mdm,
        passes: [
            Example(
                #"{"mdm":"B7C1"}"#, .mdm, topic: "com.apple.mgmt.External.5f2d1c3e-0b1a-4c6d-9e8f-112233445566"),
            Example(#"{"mdm":"B7C1"}"#, .mdm),
        ],
        fails: [Example(#"{"mdm":"B7C1"}"#, .mdm, topic: "com.example.agent")]
    ) { notification, findings in
        guard let topic = notification.text(of: .topic), !topic.begins(with: "com.apple.mgmt.") else { return }
        findings.report(
            "apns-topic is \(notification.shown(text: topic)); an MDM push needs the UID of its certificate, which "
                + "begins with com.apple.mgmt.", at: .header("apns-topic"))
    }
}
