import APNSModel
import Testing

@testable import APNSProvider

struct InboxTests {
    /// An inbox, and what a test did with it.
    private struct Bench {
        let inbox: Inbox
        var spare: [Inbox.Message] = []

        init(limit: Int = 10) { inbox = Inbox(limit: limit) }

        func submit(_ number: Int, deadline: Duration = .seconds(10)) -> Inbox.Posted {
            let submission = Submission(number, deadline: .zero + deadline)
            return inbox.submit(.submit(Caller(id: UInt64(number)), submission))
        }

        /// Takes all messages: submissions by their numbers, cancellations by the negative ones.
        mutating func take() -> [Int] {
            inbox.take(reusing: &spare)
            return spare.map { message in
                switch message {
                case .submit(_, let submission): submission.number
                case .cancel(let id): -Int(id)
                }
            }
        }
    }

    @Test func `only the first message wakes the event loop`() {
        var bench = Bench()
        #expect(bench.submit(1) == .wake)
        #expect(bench.submit(2) == .queued)
        #expect(bench.inbox.cancel(1).posted == .queued)
        #expect(bench.take() == [1, 2, -1])
        #expect(bench.take().isEmpty)
        #expect(bench.inbox.cancel(2).posted == .wake)
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

    @Test func `cancelling a waiting submission removes it and returns its caller`() {
        var bench = Bench(limit: 1)
        for number in 1...3 { _ = bench.submit(number) }
        let cancelled = bench.inbox.cancel(2)
        #expect(cancelled.waited?.id == 2)
        #expect(bench.inbox.cancel(1).waited == nil)
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

    @Test func `a closed inbox admits nothing and returns the waiting callers`() {
        var bench = Bench(limit: 1)
        for number in 1...3 { _ = bench.submit(number) }
        #expect(bench.inbox.close().map(\.id) == [2, 3])
        #expect(bench.submit(4) == .closed)
        #expect(bench.inbox.cancel(1).posted == .closed)
        #expect(bench.inbox.close().isEmpty)
        #expect(bench.take() == [1])
        #expect(!bench.inbox.resolved(1))
    }
}
