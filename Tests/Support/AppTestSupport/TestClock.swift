import Foundation
package import PushDispatch
import TestSupport

/// A clock that a test moves. A sleep that begins late ends at once, so it does not matter when its task starts.
///
/// `@unchecked Sendable` because the lock protects everything.
package final class TestClock: DispatchClock, @unchecked Sendable {
    private let lock = NSLock()
    private var moment: DispatchMoment
    private var nextID = 0
    private var sleepers: [Int: (until: DispatchMoment, continuation: CheckedContinuation<Bool, Never>)] = [:]
    private var cancelled: Set<Int> = []

    package init(milliseconds: Int64 = 1_000) { moment = DispatchMoment(milliseconds: milliseconds) }

    package func now() -> DispatchMoment { lock.withLock { moment } }

    /// How many wait for a moment.
    package var waiting: Int { lock.withLock { sleepers.count } }

    package func advance(_ milliseconds: Int64) {
        let due = lock.withLock {
            moment = moment.advanced(byMilliseconds: milliseconds)
            let due = sleepers.filter { $0.value.until <= moment }
            for id in due.keys { sleepers[id] = nil }
            return due
        }
        for sleeper in due.values.sorted(by: { $0.until < $1.until }) { sleeper.continuation.resume(returning: true) }
    }

    /// The end of the sleep that ends first. Waits for one; nil if none comes.
    package func nextSleep() async -> DispatchMoment? {
        func first() -> DispatchMoment? { lock.withLock { sleepers.values.map(\.until).min() } }
        _ = await eventually { first() != nil }
        return first()
    }

    package func sleep(until moment: DispatchMoment) async throws {
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
