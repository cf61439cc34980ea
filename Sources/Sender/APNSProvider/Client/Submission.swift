import APNSModel

/// One notification on its way from its submission to its outcome.
///
/// A class, because it is handed on many times on that way, and one reference is cheaper to count and to move than all
/// that is in it.
///
/// @unchecked: what changes belongs to the event loop, and nothing changes any more once the result is handed out.
final class Submission: @unchecked Sendable {
    /// Whom to tell.
    enum Ticket {
        case single(Caller)
        case bulk(BulkRun, index: Int)
    }

    let id: UInt64
    let notification: APNSNotification
    /// The `apns-id` that it is sent with; empty until one is made for a notification that came without.
    var apnsID: String
    let ticket: Ticket
    let submitted: MonotonicTime
    let deadline: MonotonicTime
    /// How often it was written to a connection.
    var attempts = 0
    private var outcome: APNSOutcome?
    /// When its result was handed out.
    var resolved = MonotonicTime.zero

    init(
        id: UInt64, notification: consuming APNSNotification, ticket: consuming Ticket, submitted: MonotonicTime,
        deadline: MonotonicTime
    ) {
        self.id = id
        apnsID = notification.id?.text ?? ""
        self.notification = notification
        self.ticket = ticket
        self.submitted = submitted
        self.deadline = deadline
    }

    func resolve(_ outcome: consuming APNSOutcome) { self.outcome = outcome }

    /// What became of it; only for one that is resolved.
    var knownOutcome: APNSOutcome {
        guard let outcome else { preconditionFailure("a result without an outcome") }
        return outcome
    }
}
