import APNSModel
import DeviceSimulator
import PayloadGuide
import PayloadJSON

/// What a device shows of a push, in words.
struct ShownAlert: Hashable {
    let text: String

    /// Nil for a push that shows nothing.
    init?(_ push: DeliveredPush) {
        guard push.pushType == nil || push.pushType == PushType.alert.rawValue,
            let document = try? JSONDocument(push.payload), let text = PayloadFacts(document).shownText
        else { return nil }
        self.text = "alert: \(text)"
    }
}
