import APNSModel
import Testing

@testable import APNSProvider

struct InboxTests {
    /// An inbox, and what a test did with it.
    private struct Bench {
        let inbox: Inbox
        var spare: [Inbox.Message] = []
        private var submissions: [Int: Submission] = [:]

        init(limit: Int = 10, waitingLimit: Int = 1_000_000, loops: Int = 1) {
            inbox = Inbox(limit: limit, waitingLimit: waitingLimit, loops: loops)
        }

        mutating func submit(_ number: Int, deadline: Duration = .seconds(10), to loop: Int = 0) -> Inbox.Posted {
            let submission = Submission(number, deadline: .zero + deadline)
            submissions[number] = submission
            return inbox.submit(submission, to: loop)
        }

        func move(_ numbers: [Int], to loop: Int) -> Inbox.Posted {
            inbox.move(numbers.map { submissions[$0]! }, to: loop)
        }

        /// Cancels a submission, which was submitted.
        func cancel(_ number: Int) -> (wasWaiting: Bool, posted: Inbox.Posted) { inbox.cancel(submissions[number]!) }

        /// Takes all messages: submissions by their numbers, cancellations by the negative ones.
        mutating func take(_ loop: Int = 0) -> [Int] {
            inbox.take(loop, reusing: &spare)
            return spare.map { message in
                switch message {
                case .submit(let submission), .move(let submission): submission.number
                case .cancel(let submission): -submission.number
                }
            }
        }
    }

    @Test func `only the first message wakes the event loop`() {
        var bench = Bench()
        #expect(bench.submit(1) == .wake(0))
        #expect(bench.submit(2) == .queued)
        #expect(bench.cancel(1).posted == .queued)
        #expect(bench.take() == [1, 2, -1])
        #expect(bench.take().isEmpty)
        #expect(bench.cancel(2).posted == .wake(0))
    }

    @Test func `submissions above the limit wait, and are admitted in order`() {
        var bench = Bench(limit: 2)
        for number in 1...5 { _ = bench.submit(number) }
        #expect(bench.take() == [1, 2])
        #expect(!bench.inbox.resolved(0))
        #expect(bench.take().isEmpty)
        #expect(bench.inbox.resolved(1))
        #expect(bench.take() == [3])
        #expect(bench.inbox.resolved(2))
        #expect(bench.take() == [4, 5])
        #expect(!bench.inbox.resolved(2))
    }

    @Test func `a waiting submission does not wake the event loop`() {
        var bench = Bench(limit: 1)
        _ = bench.submit(1)
        _ = bench.take()
        #expect(bench.submit(2) == .queued)
        #expect(bench.take().isEmpty)
    }

    @Test func `cancelling a waiting submission removes it`() {
        var bench = Bench(limit: 1)
        for number in 1...3 { _ = bench.submit(number) }
        #expect(bench.cancel(2).wasWaiting)
        #expect(!bench.cancel(1).wasWaiting)
        #expect(bench.take() == [1, -1])
        _ = bench.inbox.resolved(1)
        #expect(bench.take() == [3])
    }

    @Test func `waiting submissions whose deadline has passed are removed`() {
        var bench = Bench(limit: 1)
        for number in 1...4 { _ = bench.submit(number, deadline: .seconds(number == 3 ? 20 : number)) }
        #expect(bench.inbox.expire(at: .zero).isEmpty)
        #expect(bench.inbox.expire(at: .zero + .seconds(4)).map(\.id) == [2, 4])
        #expect(bench.take() == [1])  // admitted before; the event loop checks its deadline
        _ = bench.inbox.resolved(1)
        #expect(bench.take() == [3])
    }

    @Test func `above the limit of those that wait, a submission is not taken`() {
        var bench = Bench(limit: 1, waitingLimit: 2)
        #expect((1...5).map { bench.submit($0) } == [.wake(0), .queued, .queued, .full, .full])
        #expect(bench.cancel(2).wasWaiting)
        #expect(bench.submit(6) == .queued)
        #expect(bench.submit(7) == .full)
        #expect(bench.inbox.resolved(1))
        #expect(bench.submit(8) == .queued)
        #expect(bench.take() == [1, 3])
    }

    @Test(arguments: [false, true])
    func `cancelling 100,000 waiting submissions looks at each a few times, in either order`(isReverse: Bool) {
        let count = 100_000
        var bench = Bench(limit: 1)
        for number in 0...count { _ = bench.submit(number) }
        var cancelled = 0
        for index in 1...count where bench.cancel(isReverse ? count + 1 - index : index).wasWaiting { cancelled += 1 }
        #expect(cancelled == count)
        #expect(bench.inbox.visited <= 2 * count)
    }

    @Test func `waiting for a deadline costs nothing for each submission`() {
        let count = 10_000
        var bench = Bench(limit: 1)
        for number in 0...count { _ = bench.submit(number, deadline: .seconds(100) + .milliseconds(number)) }
        var expired = 0
        for milliseconds in stride(from: 0, to: 100_000, by: 20) {
            expired += bench.inbox.expire(at: .zero + .milliseconds(milliseconds)).count
        }
        #expect(expired == 0)
        // Up to three times in each of the four turns of the wheel.
        #expect(bench.inbox.visited <= 12 * count)
        #expect(bench.inbox.expire(at: .zero + .seconds(1000)).count == count)
    }

    @Test func `a closed inbox admits nothing and returns the waiting callers`() {
        var bench = Bench(limit: 1)
        for number in 1...3 { _ = bench.submit(number) }
        #expect(bench.inbox.close().map(\.id) == [2, 3])
        #expect(bench.submit(4) == .closed)
        #expect(bench.cancel(1).posted == .queued)
        #expect(bench.inbox.close().isEmpty)
        #expect(bench.take() == [1, -1])
        #expect(!bench.inbox.resolved(1))
    }

    // MARK: Several event loops

    @Test func `each event loop has its own messages, and the limits are those of all`() {
        var bench = Bench(limit: 3, waitingLimit: 2, loops: 2)
        #expect(bench.submit(1, to: 0) == .wake(0))
        #expect(bench.submit(2, to: 1) == .wake(1))
        #expect(bench.submit(3, to: 1) == .queued)
        #expect((4...6).map { bench.submit($0, to: $0 % 2) } == [.queued, .queued, .full])
        #expect(bench.take(0) == [1] && bench.take(1) == [2, 3])
    }

    @Test func `what waits is admitted to the event loop that gave an outcome`() {
        var bench = Bench(limit: 2, loops: 2)
        for number in 1...4 { _ = bench.submit(number, to: 0) }
        #expect(bench.take(0) == [1, 2])
        #expect(bench.inbox.resolved(1, by: 1))
        #expect(bench.inbox.resolved(1, by: 0))
        #expect(bench.take(0) == [4] && bench.take(1) == [3])
        #expect(bench.cancel(3).posted == .wake(1))
    }

    @Test func `what was passed on is cancelled at the event loop that got it`() {
        var bench = Bench(loops: 3)
        for number in 1...2 { _ = bench.submit(number, to: 0) }
        #expect(bench.cancel(1).posted == .queued)
        #expect(bench.take(0) == [1, 2, -1])
        #expect(bench.move([1, 2], to: 2) == .wake(2))
        #expect(bench.cancel(2).posted == .queued)
        #expect(bench.take(0).isEmpty && bench.take(1).isEmpty)
        #expect(bench.take(2) == [1, 2, -2])
    }
}
