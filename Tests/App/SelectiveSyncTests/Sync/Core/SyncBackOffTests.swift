import PushDispatch
import Testing

@testable import SelectiveSync

struct SyncBackOffTests {
    private var backOff = SyncBackOff()
    private static let busy = FetchError(.serverUnavailable, status: 503, advice: .retryLater, "x")

    private mutating func fail(_ error: FetchError = busy, at now: Int64, random: UInt64 = 0) -> Int64 {
        backOff.failed(error, policy: SyncPolicy(), at: DispatchMoment(milliseconds: now), random: random)
            .milliseconds(since: DispatchMoment(milliseconds: now))
    }

    @Test mutating func `the wait doubles with each failure, and a reset starts again`() {
        let waits = [fail(at: 0), fail(at: 500), fail(at: 1_500)]
        #expect(waits == [500, 1_000, 2_000])
        backOff.reset()
        #expect(backOff.notBefore == nil)
        let wait = fail(at: 9_000)
        #expect(wait == 500)
    }

    @Test mutating func `the random part is at most half of the wait`() {
        let longest = fail(at: 0, random: 500)
        backOff.reset()
        let shortest = fail(at: 0, random: 501)
        #expect(longest == 1_000 && shortest == 500)
    }

    @Test mutating func `the server's own wait counts if it is longer, and a later failure does not shorten it`() {
        var error = Self.busy
        error.retryAfterMilliseconds = 30_000
        let waits = [fail(error, at: 0), fail(at: 100)]
        #expect(waits == [30_000, 1_000])
        #expect(backOff.notBefore == DispatchMoment(milliseconds: 30_000))
    }
}
