import APNSModel
import PayloadJSON

extension Rule {
    public static let inputPushChannelForm = Rule(
        id: "input-push-channel-form", severity: .warning, layer: .device, looksAt: [.inputPushChannel],
        summary: "An `input-push-channel` is a channel id in base64.",
        rationale: """
            It is the id that APNs gave in `apns-channel-id` when the channel was made, character by character. \
            Base64 has letters, digits, + and /, and up to two = at the end of a multiple of four.
            """,
        source: RuleSource.broadcasts,
        passes: [Example(startPayload(#""input-push-channel":"dHN0LXNyY2gtY2hubA==""#), .liveactivity)],
        fails: [
            Example(startPayload(#""input-push-channel":"match-42""#), .liveactivity),
            Example(startPayload(#""input-push-channel":"""#), .liveactivity),
        ]
    ) { notification, findings in
        guard let value = notification[.inputPushChannel], let channel = notification.document.string(of: value),
            !PaddedBase64.isBase64(channel), notification.consumer == .liveActivity
        else { return }
        findings.report(
            "input-push-channel is \(notification.shown(value)); it must be the channel id as APNs gave it, in base64",
            at: notification.place(ofValue: value))
    }
}
