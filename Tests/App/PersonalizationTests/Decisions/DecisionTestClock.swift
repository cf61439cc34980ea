import Foundation
import PushDispatch

/// A clock that a test moves. What is due at a moment is called before `advance` returns.
///
/// `@unchecked Sendable` because the lock protects everything.
final class DecisionTestClock: DispatchClock, @unchecked Sendable {
    private let lock = NSLock()
    private var moment = DispatchMoment(milliseconds: 1_000)
    private var limits: [Int: (at: DispatchMoment, action: @Sendable () async -> Bool)] = [:]
    private var lastID = 0

    func now() -> DispatchMoment { lock.withLock { moment } }

    func sleep(until moment: DispatchMoment) async throws { throw CancellationError() }

    func schedule(at moment: DispatchMoment, _ action: @escaping @Sendable () async -> Bool) -> Task<Void, Never> {
        lock.withLock {
            lastID += 1
            limits[lastID] = (moment, action)
        }
        // A limit that is no longer needed finds nothing to stop.
        return Task {}
    }

    func advance(_ milliseconds: Int64) async {
        let due = lock.withLock {
            moment = moment.advanced(byMilliseconds: milliseconds)
            let due = limits.filter { $0.value.at <= moment }
            for id in due.keys { limits[id] = nil }
            return due
        }
        for limit in due.sorted(by: { ($0.value.at, $0.key) < ($1.value.at, $1.key) }) {
            _ = await limit.value.action()
        }
    }
}
