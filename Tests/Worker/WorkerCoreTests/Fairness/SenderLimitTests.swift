import APNSModel
import Testing

@testable import WorkerCore

@Suite struct SenderLimitTests {
    private let start = MonotonicTime(nanoseconds: 5_000_000_000)
    private let quick = Duration.milliseconds(100).wholeNanoseconds
    private let slow = Duration.seconds(20).wholeNanoseconds

    @Test func `it is what was answered in the last third of the time for an answer, and a hundred more`() {
        var limit = SenderLimit(most: 1300, timeout: .seconds(30))
        #expect(limit.count(at: start) == 100)
        for _ in 0..<200 { limit.answered(after: quick, at: start) }
        #expect(limit.count(at: start) == 300)
        for _ in 0..<50 { limit.answered(after: quick, at: start + .seconds(5)) }
        #expect(limit.count(at: start + .seconds(5)) == 350)
        #expect(limit.count(at: start + .seconds(9)) == 350)
        #expect(limit.count(at: start + .seconds(11)) == 150)
        #expect(limit.count(at: start + .seconds(16)) == 100)
        #expect(limit.count(at: start + .seconds(100_000)) == 100)
    }

    @Test func `it is at most what the sender takes`() {
        var limit = SenderLimit(most: 1300, timeout: .seconds(30))
        for _ in 0..<5000 { limit.answered(after: quick, at: start) }
        #expect(limit.count(at: start) == 1300)
        #expect(SenderLimit(most: 15, timeout: .seconds(30)).count(at: start) == 15)
    }

    @Test func `answers of long ago do not count as new ones`() {
        var limit = SenderLimit(most: 1300, timeout: .seconds(30))
        for second in 0..<100 {
            for _ in 0..<10 { limit.answered(after: quick, at: start + .seconds(second)) }
        }
        let count = limit.count(at: start + .seconds(99))
        #expect((190...210).contains(count), "\(count)")
        for _ in 0..<10 { limit.answered(after: quick, at: start + .seconds(200)) }
        #expect(limit.count(at: start + .seconds(200)) == 110)
    }

    @Test func `each push whose time is over halves what it has to spare, and quick answers raise it`() {
        var limit = SenderLimit(most: 1300, timeout: .seconds(30))
        limit.timedOut()
        #expect(limit.count(at: start) == 50)
        for _ in 0..<10 { limit.timedOut() }
        #expect(limit.count(at: start) == 1)
        for _ in 0..<10 { limit.answered(after: slow, at: start) }
        #expect(limit.count(at: start) == 11)
        for _ in 0..<10 { limit.answered(after: quick, at: start) }
        #expect(limit.count(at: start) == 31)
        #expect(limit.lastAnswer == start)
    }
}
