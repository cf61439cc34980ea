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
        if answer.status == 200, answer.head.apnsID == nil {
            return .accepted(apnsID: submission.apnsID, uniqueID: answer.head.uniqueID)
        }
        return APNSOutcome(answer.reply(sentID: submission.apnsID))
    }

    /// Whether the answer is a refusal that asks to send again on another connection.
    var asksForNewConnection: Bool {
        guard answer.status != 200, case .refused(let refusal) = outcome else { return false }
        return refusal.reason.retry == .onNewConnection
    }

    mutating func read(_ batch: borrowing HTTP2EventBatch, _ fields: Range<Int>) {
        answer.head = ResponseHead(batch, fields, sentID: submission.apnsID)
    }
}
