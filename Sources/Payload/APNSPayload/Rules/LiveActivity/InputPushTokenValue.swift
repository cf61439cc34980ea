import APNSModel
import PayloadJSON

extension Rule {
    public static let inputPushTokenValue = Rule(
        id: "input-push-token-value", severity: .error, layer: .device, looksAt: [.inputPushToken], reads: [],
        summary: "The value of `input-push-token` is the number 1.",
        rationale: "It requests a device token for the started Live Activity. Leave the key out if no token is wanted.",
        source: RuleSource.liveActivities,
        passes: [
            Example(startPayload(#""input-push-token":1"#), .liveactivity),
            Example(startPayload(#""input-push-token":true"#), .liveactivity),
        ],
        fails: [
            Example(
                startPayload(#""input-push-token":"1""#), .liveactivity, fixed: startPayload(#""input-push-token":1"#)),
            Example(startPayload(#""input-push-token":0"#), .liveactivity),
        ]
    ) { notification, findings in
        guard let value = notification[.inputPushToken], ![.one, .likeOne].contains(notification.flag(value)),
            notification.consumer == .liveActivity
        else { return }
        findings.report(
            "input-push-token is \(notification.described(value)); it must be the number 1 or left out",
            at: notification.place(ofValue: value), fix: notification.fixOfQuotedOne(value))
    }
}
