import Testing

@testable import GatewayCore

struct WorldClockTests {
    @Test func `the manual clock stands still and the real one follows the machine`() {
        var clock = WorldClock.manual(at: 5000)
        #expect(clock.now(real: 1) == 5000)
        clock.advance(by: 55 * 60_000, real: 1)
        #expect(clock.now(real: 999) == 5000 + 55 * 60_000)
        clock = .real
        #expect(clock.now(real: 777) == 777)
        clock.advance(by: -77, real: 777)
        #expect(clock.now(real: 1000) == 923)
        clock.set(.manual, to: nil, real: 1000)
        #expect(clock.now(real: 5000) == 923)
        clock.set(.real, to: 2000, real: 1000)
        #expect(clock.now(real: 1500) == 2500)
        clock.set(.real, to: nil, real: 1000)
        #expect(clock.now(real: 1500) == 1500)
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max])
    func `the clock stays within its range`(extreme: Int64) {
        var clock = WorldClock.manual(at: extreme)
        #expect(WorldClock.range.contains(clock.now(real: extreme)))
        for mode in [WorldClock.Mode.real, .manual] {
            clock.set(mode, to: extreme, real: extreme)
            clock.advance(by: extreme, real: extreme)
            clock.advance(by: extreme, real: 0)
            #expect(WorldClock.range.contains(clock.now(real: extreme)))
        }
    }
}
