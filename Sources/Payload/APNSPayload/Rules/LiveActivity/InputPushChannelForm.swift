import APNSModel
import PayloadJSON

extension Rule {
    public static let inputPushChannelForm = Rule(
        id: "input-push-channel-form", severity: .warning, layer: .device, looksAt: [.inputPushChannel],
        summary: "An `input-push-channel` is a channel id in base64.",
        rationale: """
            It is exactly the id that APNs returned in `apns-channel-id` for the new channel. Base64 consists of \
            letters, digits, + and /, with up to two = at the end, and its length is a multiple of four.
            """,
        source: RuleSource.broadcasts,
        passes: [Example(startPayload(#""input-push-channel":"dHN0LXNyY2gtY2hubA==""#), .liveactivity)],
        fails: [
            Example(startPayload(#""input-push-channel":"match-42""#), .liveactivity),
            Example(startPayload(#""input-push-channel":"""#), .liveactivity),
        ]
    ) { notification, findings in
        guard let value = notification[.inputPushChannel], let channel = notification.document.string(of: value),
            !Base64.isPadded(channel), notification.consumer == .liveActivity
        else { return }
        findings.report(
            "input-push-channel is \(notification.shown(value)); it must be the base64 id that APNs returned",
            at: notification.place(ofValue: value))
    }
}
