import APNSModel
import DeviceSimulator
import PayloadGuide
import PayloadJSON

/// What a device shows of a push, in words.
struct ShownAlert: Hashable {
    let text: String
    /// Whether the push is nothing but an alert: it has no hint, and does not wake the app.
    let isPlain: Bool

    /// Nil for a push that shows nothing.
    init?(_ push: DeliveredPush) {
        guard push.pushType == nil || push.pushType == PushType.alert.rawValue,
            let document = try? JSONDocument(push.payload)
        else { return nil }
        let facts = PayloadFacts(document)
        guard let text = facts.shownText else { return nil }
        self.text = "alert: \(text)"
        isPlain = !facts.has("content-available") && !facts.rootKeys.contains("type")
    }
}
