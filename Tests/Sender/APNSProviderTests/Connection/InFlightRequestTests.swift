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
        #expect(
            outcome(ResponseHead(status: 200, uniqueID: "U"))
                == .accepted(apnsID: NotificationID(known: "SENT"), uniqueID: "U"))
        #expect(
            outcome(ResponseHead(status: 400), body: #"{"reason":"BadTopic"}"#)
                == .refused(Refusal(.badTopic, apnsID: NotificationID(known: "SENT"))))
    }

    @Test(arguments: [0, 99, 199, 201, 204, 299])
    func `a status that is neither yes nor no is no answer`(status: Int) {
        guard case .unknown(let error) = outcome(ResponseHead(status: status)) else {
            Issue.record("an answer")
            return
        }
        #expect(error.code == .invalidAnswer && !error.isSafeToRetry)
        #expect(error.detail.hasPrefix("the gateway answered with status \(status), which APNs never sends"))
    }

    @Test func `an id in the answer replaces the one that was sent`() {
        #expect(
            outcome(ResponseHead(status: 200, apnsID: NotificationID(known: "A")))
                == .accepted(apnsID: NotificationID(known: "A"), uniqueID: nil))
    }
}
