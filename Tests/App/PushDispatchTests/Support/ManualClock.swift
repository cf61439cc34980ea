import Foundation
import PushDispatch

/// A clock that a test moves.
///
/// Unchecked, because the lock protects `state`.
final class ManualClock: DispatchClock, @unchecked Sendable {
    private struct State {
        var now = DispatchMoment(milliseconds: 0)
        var nextID = 0
        var sleepers: [Int: (until: DispatchMoment, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
        var watchers: [(moment: DispatchMoment, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let lock = NSLock()
    private var state = State()

    func now() -> DispatchMoment { lock.withLock { state.now } }

    func sleep(until moment: DispatchMoment) async throws {
        let id = lock.withLock {
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                lock.withLock {
                    if state.cancelled.contains(id) {
                        continuation.resume(throwing: CancellationError())
                    } else if state.now >= moment {
                        continuation.resume()
                    } else {
                        state.sleepers[id] = (moment, continuation)
                        for watcher in state.watchers where watcher.moment == moment { watcher.continuation.resume() }
                        state.watchers.removeAll { $0.moment == moment }
                    }
                }
            }
        } onCancel: {
            lock.withLock {
                state.cancelled.insert(id)
                state.sleepers.removeValue(forKey: id)?.continuation.resume(throwing: CancellationError())
            }
        }
    }

    var sleeperCount: Int { lock.withLock { state.sleepers.count } }

    func advance(to milliseconds: Int64) {
        lock.withLock {
            state.now = DispatchMoment(milliseconds: milliseconds)
            for (id, sleeper) in state.sleepers where sleeper.until <= state.now {
                state.sleepers[id] = nil
                sleeper.continuation.resume()
            }
        }
    }

    /// Returns when a task sleeps until exactly this moment.
    func sleeper(until milliseconds: Int64) async {
        let moment = DispatchMoment(milliseconds: milliseconds)
        await withCheckedContinuation { continuation in
            lock.withLock {
                if state.sleepers.values.contains(where: { $0.until == moment }) {
                    continuation.resume()
                } else {
                    state.watchers.append((moment, continuation))
                }
            }
        }
    }

    /// Returns when no task sleeps. A cancelled task needs a moment to end its sleep.
    func noSleepers() async {
        while lock.withLock({ !state.sleepers.isEmpty }) { await Task.yield() }
    }
}
