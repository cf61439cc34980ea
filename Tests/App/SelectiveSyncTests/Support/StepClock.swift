import Foundation
import PushDispatch

/// A clock that a test moves. A sleep ends when its moment is reached.
///
/// `@unchecked Sendable` because the lock protects the rest.
final class StepClock: DispatchClock, @unchecked Sendable {
    private let lock = NSLock()
    private var moment = DispatchMoment(milliseconds: 0)
    private var sleepers: [Int: (until: DispatchMoment, continuation: CheckedContinuation<Void, any Error>)] = [:]
    private var cancelled: Set<Int> = []
    private var watchers: [(until: DispatchMoment, continuation: CheckedContinuation<Void, Never>)] = []
    private var lastID = 0

    func now() -> DispatchMoment { lock.withLock { moment } }

    func sleep(until end: DispatchMoment) async throws {
        let id = lock.withLock {
            lastID += 1
            return lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                lock.withLock {
                    if cancelled.contains(id) { return continuation.resume(throwing: CancellationError()) }
                    guard end > moment else { return continuation.resume() }
                    sleepers[id] = (end, continuation)
                    for watcher in watchers where watcher.until == end { watcher.continuation.resume() }
                    watchers.removeAll { $0.until == end }
                }
            }
        } onCancel: {
            lock.withLock {
                cancelled.insert(id)
                sleepers.removeValue(forKey: id)?.continuation.resume(throwing: CancellationError())
            }
        }
    }

    func advance(to milliseconds: Int64) {
        lock.withLock {
            moment = DispatchMoment(milliseconds: milliseconds)
            for (id, sleeper) in sleepers where sleeper.until <= moment {
                sleepers[id] = nil
                sleeper.continuation.resume()
            }
        }
    }

    /// Returns when something sleeps until this moment.
    func isAwaited(at milliseconds: Int64) async {
        let end = DispatchMoment(milliseconds: milliseconds)
        await withCheckedContinuation { continuation in
            lock.withLock {
                if sleepers.values.contains(where: { $0.until == end }) { return continuation.resume() }
                watchers.append((end, continuation))
            }
        }
    }
}

/// A signal that several tasks can wait for.
actor TestSignal {
    private var isGiven = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func give() {
        isGiven = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func wait() async {
        if !isGiven { await withCheckedContinuation { waiting.append($0) } }
    }
}
