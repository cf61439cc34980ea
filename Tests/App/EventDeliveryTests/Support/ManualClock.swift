import Foundation
import PushDispatch

/// A clock that a test moves. A sleep that begins late ends at once, so it does not matter when its task starts.
///
/// `@unchecked Sendable` because the lock protects everything.
final class ManualClock: DispatchClock, @unchecked Sendable {
    private let lock = NSLock()
    private var moment = DispatchMoment(milliseconds: 1_000)
    private var nextID = 0
    private var sleepers: [Int: (until: DispatchMoment, continuation: CheckedContinuation<Bool, Never>)] = [:]
    private var cancelled: Set<Int> = []
    private var watchers: [CheckedContinuation<DispatchMoment, Never>] = []

    func now() -> DispatchMoment { lock.withLock { moment } }

    func advance(_ milliseconds: Int64) {
        let due = lock.withLock {
            moment = moment.advanced(byMilliseconds: milliseconds)
            let due = sleepers.filter { $0.value.until <= moment }
            for id in due.keys { sleepers[id] = nil }
            return due
        }
        for sleeper in due.values.sorted(by: { $0.until < $1.until }) { sleeper.continuation.resume(returning: true) }
    }

    /// The end of the sleep that ends first. Waits for one.
    func nextSleep() async -> DispatchMoment {
        await withCheckedContinuation { continuation in
            let next: DispatchMoment? = lock.withLock {
                let next = sleepers.values.map(\.until).min()
                if next == nil { watchers.append(continuation) }
                return next
            }
            if let next { continuation.resume(returning: next) }
        }
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
                    watchers.forEach { $0.resume(returning: moment) }
                    watchers = []
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
