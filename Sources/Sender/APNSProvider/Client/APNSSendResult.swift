public import APNSModel

/// The outcome of one notification of a bulk send.
public struct APNSSendResult: Sendable {
    private enum Source: Sendable {
        case submission(Submission)
        case values(Values)
    }

    private final class Values: Sendable {
        let index: Int
        let notification: APNSNotification
        let outcome: APNSOutcome
        let attempts: Int
        let duration: Duration

        init(
            _ index: Int, _ notification: APNSNotification, _ outcome: APNSOutcome, _ attempts: Int,
            _ duration: Duration
        ) {
            self.index = index
            self.notification = notification
            self.outcome = outcome
            self.attempts = attempts
            self.duration = duration
        }
    }

    private let source: Source

    init(_ submission: Submission) { source = .submission(submission) }

    /// A result that no `PushProvider` made, for a fake.
    public init(
        index: Int, notification: APNSNotification, outcome: APNSOutcome, attempts: Int = 1, duration: Duration = .zero
    ) {
        source = .values(Values(index, notification, outcome, attempts, duration))
    }

    /// The position of the notification in the source, from 0.
    public var index: Int {
        switch source {
        case .submission(let submission): if case .bulk(_, let index) = submission.recipient { index } else { 0 }
        case .values(let values): values.index
        }
    }

    public var notification: APNSNotification {
        switch source {
        case .submission(let submission): submission.bulkNotification
        case .values(let values): values.notification
        }
    }

    public var outcome: APNSOutcome {
        switch source {
        case .submission(let submission): submission.knownOutcome
        case .values(let values): values.outcome
        }
    }

    /// How often the notification was written to a connection.
    public var attempts: Int {
        switch source {
        case .submission(let submission): submission.attempts
        case .values(let values): values.attempts
        }
    }

    /// The time from taking the notification from the source to its result.
    public var duration: Duration {
        switch source {
        case .submission(let submission): submission.resolved - submission.submitted
        case .values(let values): values.duration
        }
    }

    /// The `apns-id` that the notification was sent with. Nil if it came without one and was never sent.
    public var apnsID: NotificationID? {
        switch source {
        case .submission(let submission):
            submission.apnsID.isEmpty ? nil : NotificationID(known: submission.apnsID)
        case .values(let values):
            if case .accepted(let id, _) = values.outcome { id } else { values.notification.id }
        }
    }

    /// The same as text, empty for nil.
    package var apnsIDText: String {
        switch source {
        case .submission(let submission): submission.apnsID
        case .values: apnsID?.text ?? ""
        }
    }

    /// Without a copy of the notification.
    package var deviceToken: DeviceToken {
        switch source {
        case .submission(let submission): submission.bulkDeviceToken
        case .values(let values): values.notification.deviceToken
        }
    }

    package var durationNanoseconds: Int64 {
        switch source {
        case .submission(let submission): submission.resolved.nanoseconds - submission.submitted.nanoseconds
        case .values(let values): (MonotonicTime.zero + values.duration).nanoseconds
        }
    }
}
