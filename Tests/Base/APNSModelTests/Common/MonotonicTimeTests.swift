import APNSModel
import Testing

struct MonotonicTimeTests {
    @Test func `times are ordered, added and subtracted`() {
        let time = MonotonicTime(nanoseconds: 5) + .microseconds(1)
        #expect(time.nanoseconds == 1005)
        #expect(MonotonicTime.zero < time && !(time < time))
        #expect(time - MonotonicTime(nanoseconds: 5) == .microseconds(1))
        #expect(MonotonicTime.zero - time == .nanoseconds(-1005))
        #expect(time.advanced(byNanoseconds: 2).nanoseconds == 1007)
    }

    @Test func `a sum stops at the largest time`() {
        let time = MonotonicTime(nanoseconds: .max - 1)
        #expect((time + .seconds(1)).nanoseconds == .max)
        #expect((MonotonicTime.zero + .seconds(Int64.max)).nanoseconds == .max)
    }

    @Test(
        arguments: [
            (.zero, 0), (.nanoseconds(1), 1), (.nanoseconds(-1), -1), (.seconds(3), 3_000_000_000),
            (Duration(secondsComponent: 0, attosecondsComponent: 999_999_999), 0),
            (.seconds(9_223_372_036), 9_223_372_036_000_000_000), (.seconds(9_223_372_037), .max),
            (.seconds(-9_223_372_037), .min), (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
            (Duration(secondsComponent: 9_223_372_036, attosecondsComponent: 999_999_999_999_999_999), .max),
        ] as [(Duration, Int64)])
    func `a duration is cut to the nanoseconds that fit`(duration: Duration, nanoseconds: Int64) {
        #expect(duration.wholeNanoseconds == nanoseconds)
    }

    @Test func `milliseconds have a fraction`() {
        #expect(Duration.microseconds(1500).inMilliseconds == 1.5)
    }
}
