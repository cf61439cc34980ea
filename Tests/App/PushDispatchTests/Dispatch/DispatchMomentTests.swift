import PushDispatch
import Testing

struct DispatchMomentTests {
    private func at(_ milliseconds: Int64) -> DispatchMoment { DispatchMoment(milliseconds: milliseconds) }

    @Test func `a moment is moved and compared`() {
        #expect(at(5).advanced(byMilliseconds: -7) == at(-2))
        #expect(at(5).milliseconds(since: at(7)) == -2)
        #expect(at(5) < at(7) && !(at(7) < at(7)))
    }

    @Test func `at the ends of the range nothing overflows`() {
        #expect(at(.max).advanced(byMilliseconds: 1) == at(.max) && at(.min).advanced(byMilliseconds: -1) == at(.min))
        #expect(at(.max).milliseconds(since: at(-1)) == .max && at(.min).milliseconds(since: at(1)) == .min)
    }

    @Test func `the system's clock goes forward, and a sleep until a past moment returns`() async throws {
        let clock = SystemDispatchClock()
        let start = clock.now()
        try await clock.sleep(until: start)
        #expect(clock.now() >= start)
    }

    @Test func `a limit at a past moment acts, and a cancelled one does not`() async {
        let clock = SystemDispatchClock()
        let acted = Signal()
        let limit = clock.schedule(at: clock.now()) {
            await acted.give()
            return true
        }
        await acted.wait()
        await limit.value
        let late = clock.schedule(at: clock.now().advanced(byMilliseconds: 3_600_000)) {
            Issue.record("a cancelled limit has acted")
            return true
        }
        late.cancel()
        await late.value
    }
}
