import APNSModel

/// One notification from its submission to its outcome.
///
/// A class, because it is passed on many times, and retaining and moving one reference costs less than copying all its
/// properties.
///
/// @unchecked: the variables are confined to the event loop and do not change after the result is handed out. While it
/// waits to be admitted, the lock of the inbox protects them.
final class Submission: DeadlineNode, @unchecked Sendable {
    /// Who gets the outcome.
    enum Recipient {
        case single(Caller)
        case bulk(BulkRun, index: Int)
    }

    /// Where it is, so that it is found without a search.
    enum Place {
        /// With the event loop, or resolved.
        case outside
        case queue
        case stream(connection: Int32, slot: Int32)
    }

    let id: UInt64
    let notification: APNSNotification
    /// The `apns-id` that the notification is sent with. Empty until one is made for a notification without an id.
    var apnsID: String
    let recipient: Recipient
    let submitted: MonotonicTime
    var place = Place.outside
    /// Whether it waits in the inbox to be admitted. Protected by the lock of the inbox at all times.
    var isWaiting = false
    /// How often the notification was written to a connection.
    var attempts = 0
    private var outcome: APNSOutcome?
    /// When the result was handed out.
    var resolved = MonotonicTime.zero

    init(
        id: UInt64, notification: consuming APNSNotification, recipient: consuming Recipient, submitted: MonotonicTime,
        deadline: MonotonicTime
    ) {
        self.id = id
        apnsID = notification.id?.text ?? ""
        self.notification = notification
        self.recipient = recipient
        self.submitted = submitted
        super.init(deadline: deadline)
    }

    /// Sets the outcome. The deadline is watched no longer.
    func resolve(_ outcome: consuming APNSOutcome) {
        self.outcome = outcome
        leaveRing()
    }

    var isResolved: Bool { outcome != nil }

    var isQueued: Bool {
        if case .queue = place { true } else { false }
    }

    /// The outcome. Call it only after `resolve`.
    var knownOutcome: APNSOutcome {
        guard let outcome else { preconditionFailure("the submission has no outcome yet") }
        return outcome
    }
}
