import EventDelivery
import Foundation
import PushDispatch

/// A monotonic clock and a time of day that a test moves.
///
/// `@unchecked Sendable` because the lock protects everything.
final class TestClock: DispatchClock, @unchecked Sendable {
    private let lock = NSLock()
    private var moment = DispatchMoment(milliseconds: 1_000_000)
    private var wall: Int64 = 1_778_231_730_000
    private var nextID = 0
    private var sleepers: [Int: (until: DispatchMoment, continuation: CheckedContinuation<Bool, Never>)] = [:]
    private var cancelled: Set<Int> = []

    func now() -> DispatchMoment { lock.withLock { moment } }

    func time() -> EventTime { lock.withLock { EventTime(milliseconds: wall) } }

    /// Until when somebody sleeps, the earliest first.
    var alarms: [DispatchMoment] { lock.withLock { sleepers.values.map(\.until).sorted() } }

    func advance(milliseconds: Int64) {
        let due = lock.withLock {
            moment = moment.advanced(byMilliseconds: milliseconds)
            wall += milliseconds
            let due = sleepers.filter { $0.value.until <= moment }
            for id in due.keys { sleepers[id] = nil }
            return due
        }
        for sleeper in due.values.sorted(by: { $0.until < $1.until }) { sleeper.continuation.resume(returning: true) }
    }

    func sleep(until moment: DispatchMoment) async throws {
        let id = lock.withLock {
            nextID += 1
            return nextID
        }
        let isReached = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result: Bool? = lock.withLock {
                    if cancelled.remove(id) != nil { return false }
                    if moment <= self.moment { return true }
                    sleepers[id] = (moment, continuation)
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            let sleeper = lock.withLock {
                let sleeper = sleepers.removeValue(forKey: id)
                if sleeper == nil { cancelled.insert(id) }
                return sleeper
            }
            sleeper?.continuation.resume(returning: false)
        }
        if !isReached { throw CancellationError() }
    }
}

/// Numbers the ids of a test.
///
/// `@unchecked Sendable` because the lock protects everything.
final class TestIDs: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0

    func next() -> EventID {
        let digits = String(
            lock.withLock {
                number += 1
                return number
            })
        return EventID("00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)!
    }
}
