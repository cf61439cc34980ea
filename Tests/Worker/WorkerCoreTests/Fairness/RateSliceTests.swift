import APNSModel
import PushQueue
import Testing

@testable import WorkerCore

@Suite struct RateSliceTests {
    private let start = MonotonicTime(nanoseconds: 1)

    @Test func `tokens are taken in slices of a tenth of a second`() {
        var slice = RateSlice(bucket: "b", perSecond: 500)
        #expect(slice.demand(1000, at: start) == RateDemand(bucket: "b", perSecond: 500, wanted: 50))
        #expect(slice.demand(1000, at: start) == nil, "one question at a time")
        slice.granted(RateGrant(granted: 50, wait: .zero), at: start)
        #expect(slice.tokens == 50)
        #expect(slice.demand(1000, at: start) == nil, "a slice is left")
        slice.take(10)
        #expect(slice.demand(45, at: start) == RateDemand(bucket: "b", perSecond: 500, wanted: 5))
        slice.granted(RateGrant(granted: 5, wait: .zero), at: start)
        #expect(slice.total == 55, "what it has got so far")
    }

    @Test func `where there are none it asks again when the engine says`() {
        var slice = RateSlice(bucket: "b", perSecond: 10)
        #expect(slice.demand(5, at: start)?.wanted == 1)
        slice.granted(RateGrant(granted: 0, wait: .milliseconds(100)), at: start)
        #expect(slice.demand(5, at: start + .milliseconds(99)) == nil)
        #expect(slice.demand(5, at: start + .milliseconds(100)) != nil)
        slice.granted(nil, at: start + .milliseconds(100))
        #expect(slice.tokens == 0)
        #expect(slice.demand(5, at: start + .milliseconds(300)) != nil)
    }

    @Test func `nothing is asked for nobody`() {
        var slice = RateSlice(bucket: "b", perSecond: 10)
        #expect(slice.demand(0, at: start) == nil)
        slice.giveBack(1000)
        #expect(slice.tokens == 2)
    }
}
