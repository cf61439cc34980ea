import APNSModel
import Testing

@testable import WorkerCore

@Suite struct SenderLimitTests {
    private let start = MonotonicTime(nanoseconds: 5_000_000_000)
    private let quick = Duration.milliseconds(100).wholeNanoseconds
    private let slow = Duration.seconds(20).wholeNanoseconds

    /// One whose times were over until nothing is to spare.
    private func late(timeout: Duration = .seconds(30)) -> SenderLimit {
        var limit = SenderLimit(most: 1300, timeout: timeout)
        for _ in 0..<20 { limit.timedOut() }
        return limit
    }

    @Test func `a sender gets all that it takes until the time of a push is over`() {
        var limit = SenderLimit(most: 1300, timeout: .seconds(30))
        #expect(limit.count(at: start) == 1300)
        for _ in 0..<5000 { limit.answered(after: quick, at: start) }
        #expect(limit.count(at: start) == 1300)
        limit.timedOut()
        #expect(limit.count(at: start + .seconds(100)) == 650)
    }

    @Test func `then it is what was answered in the last third of the time for an answer, and one for each third`() {
        var limit = late()
        #expect(limit.count(at: start) == 1)
        for _ in 0..<200 { limit.answered(after: slow, at: start) }
        #expect(limit.count(at: start) == 201)
        for _ in 0..<50 { limit.answered(after: slow, at: start + .seconds(5)) }
        #expect(limit.count(at: start + .seconds(5)) == 252)
        #expect(limit.count(at: start + .seconds(9)) == 252)
        #expect(limit.count(at: start + .seconds(11)) == 52)
        #expect(limit.count(at: start + .seconds(16)) == 2)
        #expect(limit.count(at: start + .seconds(100_000)) == 2)
    }

    @Test func `answers of long ago do not count as new ones`() {
        var limit = late()
        for second in 0..<100 {
            for _ in 0..<10 { limit.answered(after: slow, at: start + .seconds(second)) }
        }
        let count = limit.count(at: start + .seconds(99))
        #expect((100...120).contains(count), "\(count)")
        for _ in 0..<10 { limit.answered(after: slow, at: start + .seconds(200)) }
        #expect(limit.count(at: start + .seconds(200)) == 22)
    }

    @Test func `each push whose time is over halves what it has to spare, and quick answers raise it`() {
        var limit = SenderLimit(most: 100, timeout: .seconds(30))
        limit.timedOut()
        #expect(limit.count(at: start) == 50)
        for _ in 0..<10 { limit.timedOut() }
        #expect(limit.count(at: start) == 1)
        for _ in 0..<10 { limit.answered(after: slow, at: start) }
        #expect(limit.count(at: start) == 11)
        for _ in 0..<10 { limit.answered(after: quick, at: start) }
        #expect(limit.count(at: start) == 31)
        for _ in 0..<200 { limit.answered(after: quick, at: start + .seconds(60)) }
        #expect(limit.count(at: start + .seconds(200)) == 100)
        #expect(limit.lastAnswer == start + .seconds(60))
    }

    @Test func `slow answers of which none is late raise it slowly`() {
        var limit = late()
        for third in 0..<50 { limit.answered(after: slow, at: start + .seconds(10 * third)) }
        let count = limit.count(at: start + .seconds(490))
        #expect((45...52).contains(count), "\(count)")
    }
}
