import APNSModel

extension Rule {
    public static let simulatorPushType = Rule(
        id: "simulator-push-type", severity: .warning, layer: .device, stage: .headers,
        pushTypes: [.complication, .fileprovider, .voip],
        summary: "A simulator file is an app notification, not a voip, complication or fileprovider push.",
        rationale: "`simctl push` delivers app notifications only. Other push types need a device.",
        source: RuleSource.simulator,
        passes: [Example(#"{"aps":{"alert":"Hi"}}"#, .alert, kind: .apns), Example("{}", .voip, kind: .payload)],
        fails: [Example(#"{"aps":{}}"#, .voip, kind: .apns), Example(#"{"aps":{}}"#, .complication, kind: .apns)]
    ) { notification, findings in
        guard notification.envelope.kind == .apns, let pushType = notification.pushType else { return }
        findings.report(
            "push type is \(pushType), which simctl push cannot deliver; only app notifications reach a simulator",
            at: .header("apns-push-type"))
    }
}
