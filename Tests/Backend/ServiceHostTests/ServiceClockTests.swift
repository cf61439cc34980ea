import ServiceHost
import Testing

struct ServiceClockTests {
    @Test func `a real clock follows the machine's, also after it was set or moved`() {
        var clock = ServiceClock()
        #expect(clock.now(real: 1_000) == 1_000)
        clock.set(isManual: false, to: 10_000, real: 1_000)
        #expect(clock.now(real: 1_500) == 10_500)
        clock.advance(by: 60_000, real: 1_500)
        #expect(clock.now(real: 2_000) == 71_000)
        clock.set(isManual: false, to: nil, real: 2_000)
        #expect(clock.now(real: 2_000) == 2_000)
    }

    @Test func `a manual clock stands still until it is moved, in both directions`() {
        var clock = ServiceClock()
        clock.set(isManual: true, to: nil, real: 5_000)
        #expect(clock.now(real: 9_000) == 5_000)
        clock.advance(by: 1_000, real: 9_000)
        clock.advance(by: -2_000, real: 9_000)
        #expect(clock.now(real: 0) == 4_000)
        #expect(ServiceClock.manual(at: 7).now(real: 100) == 7)
    }

    @Test func `times outside of the years 1970 to 9999 are clamped`() {
        var clock = ServiceClock.manual(at: -5)
        #expect(clock.now(real: 0) == 0)
        clock.advance(by: .max, real: 0)
        #expect(clock.now(real: 0) == ServiceClock.range.upperBound)
        clock.advance(by: .min, real: 0)
        #expect(clock.now(real: 0) == 0)
        #expect(ServiceClock().now(real: .min) == 0 && ServiceClock().now(real: .max) == ServiceClock.range.upperBound)
    }
}
