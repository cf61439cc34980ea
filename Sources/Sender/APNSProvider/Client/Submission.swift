package import APNSModel

/// One notification from its submission to its outcome.
///
/// A class, because it is passed on many times, and retaining and moving one reference costs less than copying all its
/// properties.
///
/// @unchecked: the variables are confined to the event loop that it is with and do not change after the result is handed out. While it
/// waits to be admitted, the lock of the inbox protects them. Before `submit` nothing changes them, and others read `notification` only.
package final class Submission: DeadlineNode, @unchecked Sendable {
    /// Who gets the outcome.
    enum Recipient {
        /// It was not submitted yet.
        case unsubmitted
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

    private(set) var id: UInt64
    /// Nil for a request about channels. A property of its own, so that nothing of it is copied where it is read.
    package let notification: APNSNotification?
    /// Nil for a notification to a device.
    let channels: ChannelExchange?
    /// The `apns-id` that the notification is sent with, or the `apns-request-id` of another request. Empty until one is made
    /// for a request without an id.
    var apnsID: String
    private(set) var recipient: Recipient
    private(set) var submitted: MonotonicTime
    var place = Place.outside
    /// Whether it waits in the inbox to be admitted. Protected by the lock of the inbox at all times.
    var isWaiting = false
    /// The event loop that it is with. Protected by the lock of the inbox at all times; of no meaning in a bulk send.
    var loop: Int32 = 0
    /// How often the notification was written to a connection.
    var attempts = 0
    private var outcome: APNSOutcome?
    /// When the result was handed out.
    var resolved = MonotonicTime.zero

    /// - Parameters:
    ///   - notification: Nil if and only if there are `channels`.
    ///   - apnsID: Empty for a request without an id.
    init(
        id: UInt64, notification: consuming APNSNotification?, channels: ChannelExchange? = nil,
        apnsID: consuming String, recipient: consuming Recipient, submitted: MonotonicTime, deadline: MonotonicTime
    ) {
        self.id = id
        self.notification = notification
        self.channels = channels
        self.apnsID = apnsID
        self.recipient = recipient
        self.submitted = submitted
        super.init(deadline: deadline)
    }

    /// For a bulk send, which calls `submit` once.
    package convenience init(_ notification: consuming APNSNotification) {
        let apnsID = notification.id?.text ?? ""
        self.init(
            id: 0, notification: consume notification, apnsID: apnsID, recipient: .unsubmitted, submitted: .zero,
            deadline: .zero)
    }

    /// A bulk send takes it from its source.
    func submit(id: UInt64, to recipient: consuming Recipient, at now: MonotonicTime, deadline: MonotonicTime) {
        guard case .unsubmitted = self.recipient else { preconditionFailure("a submission is sent once") }
        self.id = id
        self.recipient = recipient
        submitted = now
        self.deadline = deadline
    }

    /// Whether one caller waits for it, and it is in no bulk send.
    var isSingle: Bool {
        if case .single = recipient { true } else { false }
    }

    /// That of a bulk send, which has notifications to devices only.
    package var bulkNotification: APNSNotification {
        guard let notification else { preconditionFailure("a bulk send has notifications to devices only") }
        return notification
    }

    /// The device token of that notification, without a copy of the rest.
    package var bulkDeviceToken: DeviceToken {
        guard let token = notification?.deviceToken else {
            preconditionFailure("a bulk send has notifications to devices only")
        }
        return token
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
