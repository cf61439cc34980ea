import APNSModel
import Testing

@testable import APNSProvider

struct CallerTests {
    private static let accepted = APNSOutcome.accepted(apnsID: NotificationID(known: "A"), uniqueID: nil)

    @Test func `a caller resumes with its first outcome`() async {
        let caller = Caller(id: 1)
        let outcome = await withUnsafeContinuation { continuation in
            let isSubmitted = caller.wait(continuation) {}
            #expect(isSubmitted)
            caller.resolve(Self.accepted)
            caller.resolve(.unsent(.closedProvider))
        }
        #expect(outcome == Self.accepted)
    }

    @Test func `a task that is cancelled before it waits submits nothing`() async {
        let caller = Caller(id: 1)
        var isPosted = false
        caller.cancel { isPosted = true }
        var isSubmitted = false
        let outcome = await withUnsafeContinuation { continuation in
            let result = caller.wait(continuation) { isSubmitted = true }
            #expect(!result)
        }
        #expect(outcome == .unsent(Caller.cancelledBeforeSubmission))
        #expect(!isSubmitted && !isPosted)
    }

    @Test func `cancelling a waiting caller is posted, and its outcome comes from the event loop`() async {
        let caller = Caller(id: 1)
        var posts = 0
        let outcome = await withUnsafeContinuation { continuation in
            let isSubmitted = caller.wait(continuation) {}
            #expect(isSubmitted)
            caller.cancel { posts += 1 }
            caller.resolve(Self.accepted)
        }
        #expect(outcome == Self.accepted)
        #expect(posts == 1)
        caller.cancel { posts += 1 }  // after the outcome
        #expect(posts == 1)
    }
}
