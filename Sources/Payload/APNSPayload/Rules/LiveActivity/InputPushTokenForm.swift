import APNSModel
import PayloadJSON

extension Rule {
    public static let inputPushTokenForm = Rule(
        id: "input-push-token-form", severity: .warning, layer: .device, looksAt: [.inputPushToken], reads: [],
        summary: "`input-push-token` is written as the number 1.",
        rationale: "Apple documents the number 1. It is not documented that true or 1.0 works.",
        source: RuleSource.liveActivities,
        passes: [Example(startPayload(#""input-push-token":1"#), .liveactivity)],
        fails: [
            Example(
                startPayload(#""input-push-token":true"#), .liveactivity, fixed: startPayload(#""input-push-token":1"#)),
            Example(startPayload(#""input-push-token":1.0"#), fixed: startPayload(#""input-push-token":1"#)),
        ]
    ) { notification, findings in
        guard notification.consumer == .liveActivity else { return }
        notification.reportForm(of: .inputPushToken, &findings)
    }
}
