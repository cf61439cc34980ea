import APNSModel
import GatewayRuntime
import Testing

@testable import GatewayListener

struct IdleTimeTests {
    @Test func `time passes by the world's clock`() {
        var idleTime = IdleTime()
        let read = MonotonicTime(nanoseconds: 1_000_000_000)
        func length(_ seconds: Int64, manual: Bool = true) -> Int64 {
            idleTime.length(at: MonotonicTime(nanoseconds: seconds * 1_000_000_000), lastRead: read, isManual: manual)
        }
        func move(_ seconds: Int64, at: Int64, reset: Bool = false) {
            idleTime.clockChanged(
                ClockChange(by: seconds * 1000, at: MonotonicTime(nanoseconds: at * 1_000_000_000), isReset: reset),
                lastRead: read)
        }
        #expect(length(61) == 0, "a manual clock stands still")
        #expect(length(61, manual: false) == 60_000)
        move(600, at: 62)
        move(60, at: 63)
        #expect(length(64) == 660_000)
        #expect(length(64, manual: false) == 723_000)
        move(-3600, at: 65)
        #expect(length(66) == 0, "it is never negative")
        move(60, at: 0)
        #expect(length(66) == 0, "something was received after the clock had changed")
        move(60, at: 67)
        move(0, at: 68, reset: true)
        #expect(length(69) == 0)
    }
}
