import Foundation
import Testing

@testable import PushDispatch

struct ClockTests {
    private func read(_ identifier: clockid_t) -> DispatchMoment {
        var time = timespec()
        clock_gettime(identifier, &time)
        return DispatchMoment(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    #if os(Linux)
        @Test func `the usual clock goes on while the device sleeps, the other stops`() {
            #expect(SystemDispatchClock.Kind.continuous.identifier == CLOCK_BOOTTIME)
            #expect(SystemDispatchClock.Kind.awake.identifier == CLOCK_MONOTONIC)
            let before = read(CLOCK_BOOTTIME)
            let now = SystemDispatchClock().now()
            #expect(before <= now && now <= read(CLOCK_BOOTTIME))
        }
    #endif

    @Test func `a sleep that the device's sleep has interrupted ends five seconds after it at the latest`() async throws
    {
        var now = DispatchMoment(milliseconds: 0)
        var parts: [UInt64] = []
        try await SystemDispatchClock.sleep(
            until: DispatchMoment(milliseconds: 24_000), now: { now },
            part: { nanoseconds in
                parts.append(nanoseconds / 1_000_000)
                // The device sleeps for an hour during the second part.
                now = now.advanced(byMilliseconds: parts.count == 2 ? 3_600_000 : Int64(nanoseconds / 1_000_000))
            })
        #expect(parts == [5_000, 5_000])
    }

    @Test func `a sleep ends at its moment, and checks for cancellation even if that is past`() async throws {
        var now = DispatchMoment(milliseconds: 0)
        var parts: [UInt64] = []
        for end in [Int64(7_000), 100] {
            try await SystemDispatchClock.sleep(
                until: DispatchMoment(milliseconds: end), now: { now },
                part: { nanoseconds in
                    parts.append(nanoseconds / 1_000_000)
                    now = now.advanced(byMilliseconds: Int64(nanoseconds / 1_000_000))
                })
        }
        #expect(parts == [5_000, 2_000, 0])
    }
}
