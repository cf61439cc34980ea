import APNSModel

/// A notification with the id that it is sent with. A class, because it is handed on several times between its submission
/// and its result, and one reference is cheaper to count than the seven inside it.
final class SendItem: Sendable {
    let notification: APNSNotification
    let apnsID: String

    init(_ notification: APNSNotification, apnsID: String) {
        self.notification = notification
        self.apnsID = apnsID
    }
}
