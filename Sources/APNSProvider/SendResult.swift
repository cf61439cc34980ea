public import APNSModel

/// What became of one notification of a bulk send.
public struct SendResult: Sendable {
    /// The place of the notification in the source, from 0.
    public let index: Int
    private let submission: Submission
    public let outcome: Outcome
    /// From the moment it was taken from the source.
    public let duration: Duration

    init(index: Int, submission: Submission, outcome: Outcome, duration: Duration) {
        self.index = index
        self.submission = submission
        self.outcome = outcome
        self.duration = duration
    }

    public var notification: APNSNotification { submission.notification }

    /// How often it was written to a connection.
    public var attempts: Int { submission.attempts }

    /// The `apns-id` that it was sent with; empty where it was held back and had none.
    public var apnsID: String { submission.apnsID }
}
