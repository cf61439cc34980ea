import AppTestSupport
import EventDelivery
import Foundation
import PushDispatch

/// A monotonic clock and a time of day that a test moves.
///
/// `@unchecked Sendable` because the lock protects the difference, and the clock itself is `Sendable`.
final class TestAppClock: DispatchClock, @unchecked Sendable {
    private let clock = TestClock(milliseconds: 1_000_000)
    private let lock = NSLock()
    /// The time of day less the moment of the clock.
    private var difference: Int64 = 1_778_230_730_000

    func now() -> DispatchMoment { clock.now() }

    func time() -> EventTime {
        EventTime(milliseconds: clock.now().milliseconds + lock.withLock { difference })
    }

    /// How many wait for a moment.
    var waiting: Int { clock.waiting }

    /// Moves the time of day only.
    func jump(_ milliseconds: Int64) { lock.withLock { difference += milliseconds } }

    func advance(seconds: Int64) { clock.advance(seconds * 1_000) }

    func sleep(until moment: DispatchMoment) async throws { try await clock.sleep(until: moment) }
}

/// Numbers the ids of a test.
///
/// `@unchecked Sendable` because the lock protects everything.
final class TestIDs: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0

    private func next() -> Int {
        lock.withLock {
            number += 1
            return number
        }
    }

    func id() -> String { "id-\(next())" }

    func eventID() -> EventID {
        let digits = String(next())
        return EventID("00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)!
    }
}
