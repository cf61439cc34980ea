import APNSModel
import HTTP2Session

/// A notification that was written to a connection and has no outcome yet.
struct InFlightRequest {
    let submission: Submission
    /// The number of the provider token that it was written with.
    var tokenNumber = 0
    var answer = Answer()

    /// Whether the head of the answer has come. It is enough: its status says the outcome.
    var hasHead: Bool { answer.status != 0 }

    /// The outcome that the answer means.
    var outcome: APNSOutcome {
        if isAccepted { return .accepted(apnsID: answer.head.apnsID ?? sentID, uniqueID: answer.head.uniqueID) }
        if answer.status < 200 || (201..<300).contains(answer.status) {
            return .unknown(
                APNSSendError(
                    .invalidAnswer,
                    "the gateway answered with status \(answer.status), which APNs never sends; the notification may have "
                        + "been delivered", isSafeToRetry: false))
        }
        return APNSOutcome(answer.reply(sentID: sentID))
    }

    /// A notification has an id before it is written.
    private var sentID: NotificationID { NotificationID(known: submission.apnsID) }

    private var isAccepted: Bool { answer.status == 200 || submission.channels?.isAccepted(answer.status) == true }

    /// Whether the answer is a refusal that asks to send again on another connection.
    var asksForNewConnection: Bool {
        guard !isAccepted, case .refused(let refusal) = outcome else { return false }
        return refusal.reason.retry == .onNewConnection
    }

    mutating func read(_ batch: borrowing HTTP2EventBatch, _ fields: Range<Int>) {
        answer.head = ResponseHead(batch, fields, sentID: submission.apnsID)
    }
}
