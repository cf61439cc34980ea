public import APNSModel

/// The outcome of one notification of a bulk send.
public struct APNSSendResult: Sendable {
    private let submission: Submission

    init(_ submission: Submission) { self.submission = submission }

    /// The position of the notification in the source, from 0.
    public var index: Int {
        if case .bulk(_, let index) = submission.recipient { index } else { 0 }
    }

    public var notification: APNSNotification { submission.notification }

    public var outcome: APNSOutcome { submission.knownOutcome }

    /// How often the notification was written to a connection.
    public var attempts: Int { submission.attempts }

    /// The time from taking the notification from the source to its result.
    public var duration: Duration { submission.resolved - submission.submitted }

    /// The `apns-id` that the notification was sent with. Empty if it came without one and was never sent.
    public var apnsID: String { submission.apnsID }
}
