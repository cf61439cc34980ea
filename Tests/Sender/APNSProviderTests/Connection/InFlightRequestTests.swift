import APNSModel
import Testing

@testable import APNSProvider

struct InFlightRequestTests {
    private func outcome(_ head: ResponseHead, body: String = "") -> APNSOutcome {
        let submission = Submission(1)
        submission.apnsID = "SENT"
        var request = InFlightRequest(submission: submission)
        request.answer = Answer(head: head, body: Array(body.utf8))
        return request.outcome
    }

    @Test func `an answer without an id has the id that was sent`() {
        #expect(outcome(ResponseHead(status: 200, uniqueID: "U")) == .accepted(apnsID: "SENT", uniqueID: "U"))
        #expect(
            outcome(ResponseHead(status: 400), body: #"{"reason":"BadTopic"}"#)
                == .refused(Refusal(.badTopic, apnsID: "SENT")))
    }

    @Test func `an id in the answer replaces the one that was sent`() {
        #expect(outcome(ResponseHead(status: 200, apnsID: "A")) == .accepted(apnsID: "A", uniqueID: nil))
    }
}
