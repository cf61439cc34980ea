import PushDispatch
import Testing

@testable import SelectiveSync

struct SyncTimerTests {
    private var timer = SyncTimer()

    private func at(_ milliseconds: Int64) -> DispatchMoment { DispatchMoment(milliseconds: milliseconds) }

    @Test mutating func `an earlier moment replaces a later one, and no other does`() {
        let first = Task<Void, Never> {}
        var started = 0
        timer.set(at: at(100)) { first }
        for moment in [100, 200] as [Int64] {
            timer.set(at: at(moment)) {
                started += 1
                return Task {}
            }
        }
        #expect(started == 0 && !first.isCancelled)
        timer.set(at: at(99)) {
            started += 1
            return Task {}
        }
        #expect(started == 1 && first.isCancelled)
        timer.fired()
        timer.set(at: at(300)) {
            started += 1
            return Task {}
        }
        #expect(started == 2)
    }
}
