import Testing

@testable import APNSProvider

struct CallerTests {
    private static let accepted = APNSOutcome.accepted(apnsID: "A", uniqueID: nil)

    @Test func `a caller resumes with its first outcome`() async {
        let caller = Caller(id: 1)
        let outcome = await withUnsafeContinuation { continuation in
            caller.wait(continuation) {}
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
        let outcome = await withUnsafeContinuation { caller.wait($0) { isSubmitted = true } }
        #expect(outcome == .unsent(Caller.cancelledBeforeSubmission))
        #expect(!isSubmitted && !isPosted)
    }

    @Test func `cancelling a waiting caller is posted, and its outcome comes from the event loop`() async {
        let caller = Caller(id: 1)
        var posts = 0
        let outcome = await withUnsafeContinuation { continuation in
            caller.wait(continuation) {}
            caller.cancel { posts += 1 }
            caller.resolve(Self.accepted)
        }
        #expect(outcome == Self.accepted)
        #expect(posts == 1)
        caller.cancel { posts += 1 }  // after the outcome
        #expect(posts == 1)
    }
}
