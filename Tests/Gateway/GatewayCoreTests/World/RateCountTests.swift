import Testing

@testable import GatewayCore

struct RateCountTests {
    private let rate = WorldSettings.DeviceRate(count: 2, period: 1000)

    @Test func `the limit holds until the period that began with the first one is over`() {
        var count = RateCount()
        #expect([5000, 5001, 5002, 5999].map { count.counts(against: rate, at: $0) } == [true, true, false, false])
        #expect([6000, 6999, 6999].map { count.counts(against: rate, at: $0) } == [true, true, false])
    }

    @Test func `a clock that goes back begins another period`() {
        var count = RateCount()
        #expect([5000, 5000, 5000, 4999].map { count.counts(against: rate, at: $0) } == [true, true, false, true])
    }
}
