public import APNSModel

/// What became of one notification of a bulk send.
public struct APNSSendResult: Sendable {
    private let submission: Submission

    init(_ submission: Submission) { self.submission = submission }

    /// The place of the notification in the source, from 0.
    public var index: Int {
        if case .bulk(_, let index) = submission.ticket { index } else { 0 }
    }

    public var notification: APNSNotification { submission.notification }

    public var outcome: APNSOutcome { submission.knownOutcome }

    /// How often it was written to a connection.
    public var attempts: Int { submission.attempts }

    /// From the moment it was taken from the source.
    public var duration: Duration { submission.resolved - submission.submitted }

    /// The `apns-id` that it was sent with; empty where it was held back and had none.
    public var apnsID: String { submission.apnsID }
}
