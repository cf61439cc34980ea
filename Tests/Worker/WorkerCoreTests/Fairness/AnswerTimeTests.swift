import APNSModel
import Testing

@testable import WorkerCore

@Suite struct AnswerTimeTests {
    private let start = MonotonicTime(nanoseconds: 5_000_000_000)

    @Test func `the mean follows the last answers`() {
        var time = AnswerTime()
        for _ in 0..<100 { time.add(20, at: start) }
        #expect(time.seconds(at: start) > 19)
        for _ in 0..<100 { time.add(0.01, at: start) }
        #expect(time.seconds(at: start) < 0.1)
    }

    @Test func `it grows where no answer comes, from when a push is sent`() {
        var time = AnswerTime()
        time.add(0.01, at: start)
        time.begin(at: start + .seconds(600))
        #expect(time.seconds(at: start + .seconds(601)) == 1)
        #expect(time.seconds(at: start + .seconds(607)) == 7)
    }
}
