public import APNSModel

/// What became of one notification of a bulk send.
public struct SendResult: Sendable {
    /// The place of the notification in the source, from 0.
    public let index: Int
    private let item: SendItem
    public let outcome: Outcome
    /// How often it was written to a connection.
    public let attempts: Int
    /// From the moment it was taken from the source.
    public let duration: Duration

    init(index: Int, item: SendItem, outcome: Outcome, attempts: Int, duration: Duration) {
        self.index = index
        self.item = item
        self.outcome = outcome
        self.attempts = attempts
        self.duration = duration
    }

    public var notification: APNSNotification { item.notification }

    /// The `apns-id` that it was sent with; empty where it was held back and had none.
    public var apnsID: String { item.apnsID }
}
