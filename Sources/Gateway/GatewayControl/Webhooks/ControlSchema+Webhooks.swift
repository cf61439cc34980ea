import APNSPayload
import GatewayJSON

/// Requests about webhooks.
extension ControlSchema {
    static let newWebhook = ControlSchema.request(
        [
            "url": .string(pattern: "^https?://").example("http://127.0.0.1:9000/events"),
            "events": .array(.words(GatewayEvent.names), from: 1),
        ], required: ["url"])
}
