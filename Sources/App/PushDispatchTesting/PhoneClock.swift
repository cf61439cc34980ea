public import Foundation
public import PushDispatch

/// The simulated time of a phone. It passes when the code under test sleeps, and takes no real time.
///
/// The app uses it in place of `SystemDispatchClock`, and so do the doubles that answer for a server: `try await
/// clock.sleep(seconds: 3)` is a server that takes three seconds. If a limit comes before the end of a sleep, such as
/// the moment at which a dispatcher stops its handler, the clock stops there and the limit acts first. A sleep in a
/// task that the app's launch started, such as a loop that syncs every quarter of an hour, does not move the time. It
/// ends when the time reaches it for another reason.
///
/// Unchecked, because the lock protects `state`.
public final class PhoneClock: DispatchClock, @unchecked Sendable {
    /// Whether the calling code was started by the app's launch, and not by a push or by the test.
    @TaskLocal static var startedAtLaunch = false

    private let lock = NSLock()
    private var state = State()
    /// The date at which the phone's time starts.
    public let start: Date

    /// - Parameter start: 1 January 2026, 00:00 UTC, unless the test needs another date.
    public init(start: Date = Date(timeIntervalSince1970: 1_767_225_600)) { self.start = start }

    public func now() -> DispatchMoment { lock.withLock { state.now } }

    /// The date on the phone.
    public var date: Date { start.addingTimeInterval(Double(now().milliseconds) / 1_000) }

    /// Counts events, to see whether anything happens.
    var activity: Int { lock.withLock { state.activity } }

    /// Lets this much time pass. Throws when the task is cancelled.
    public func sleep(seconds: Double) async throws {
        try await sleep(until: now().advanced(byMilliseconds: Int64(seconds * 1_000)))
    }

    /// Never returns, not even when the task is cancelled: a server that does not answer, or a completion that is never
    /// called.
    public func hang() async {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in
            act { state in
                state.hanging.append(state.nextNumber())
                return state.drive()
            }
        }
    }

    public func sleep(until moment: DispatchMoment) async throws {
        try Task.checkCancellation()
        let number = lock.withLock { state.nextNumber() }
        let movesTime = !PhoneClock.startedAtLaunch
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: Sleep) in
                act { state in
                    if state.cancelled.remove(number) != nil {
                        return [{ continuation.resume(throwing: CancellationError()) }]
                    }
                    guard moment > state.now else { return [{ continuation.resume() }] }
                    state.sleepers[number] = Sleeper(until: moment, movesTime: movesTime, continuation: continuation)
                    return state.drive()
                }
            }
        } onCancel: {
            act { state in
                guard let sleeper = state.sleepers.removeValue(forKey: number) else {
                    state.cancelled.insert(number)
                    return []
                }
                return [{ sleeper.continuation.resume(throwing: CancellationError()) }]
            }
        }
        lock.withLock { _ = state.cancelled.remove(number) }
    }

    public func schedule(
        at moment: DispatchMoment, _ action: @escaping @Sendable () async -> Bool
    ) -> Task<Void, Never> {
        let number = lock.withLock {
            let number = state.nextNumber()
            state.limits[number] = .set(at: moment, waiting: nil)
            return number
        }
        let task = Task {
            guard await isReached(number) else { return }
            acted(number, hasStoppedWork: await action())
        }
        act { state in moment <= state.now ? state.reach(number) : [] }
        return task
    }

    private func isReached(_ number: Int) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                act { state in
                    switch state.limits[number] {
                    case .set(let moment, _):
                        state.limits[number] = .set(at: moment, waiting: continuation)
                        return []
                    case .acting: return [{ continuation.resume(returning: true) }]
                    case nil: return [{ continuation.resume(returning: false) }]
                    }
                }
            }
        } onCancel: {
            act { state in
                // A limit that is reached acts even so, and finds that there is nothing to do.
                guard case .set(_, let waiting) = state.limits[number] else { return [] }
                state.limits[number] = nil
                state.activity += 1
                return [{ waiting?.resume(returning: false) }]
            }
        }
    }

    private func acted(_ number: Int, hasStoppedWork: Bool) {
        act { state in
            guard case .acting(let lastNumber) = state.limits.removeValue(forKey: number) else { return [] }
            // The sleeps of stopped work may go on, and must not move the time any more.
            if hasStoppedWork { state.lastStopped = max(state.lastStopped, lastNumber) }
            state.activity += 1
            let waiting = state.waitingForAction.filter { $0.limit == number }.map(\.continuation)
            state.waitingForAction.removeAll { $0.limit == number }
            return waiting.map { continuation in { continuation.resume() } } + state.drive()
        }
    }

    /// Decides under the lock, resumes after it.
    private func act(_ decide: (inout State) -> [Resumption]) {
        for resume in lock.withLock({ decide(&state) }) { resume() }
    }
}

// MARK: - Letting time pass

extension PhoneClock {
    /// Moves on to the next sleep or limit, and returns when a limit has acted.
    ///
    /// - Parameter end: The latest moment to move to; nil for any.
    /// - Returns: Whether there was a sleep or limit.
    func step(upTo end: DispatchMoment? = nil) async -> Bool {
        var event = State.Event?.none
        act { state in
            guard let next = state.nextEvent(upTo: end) else { return [] }
            event = next
            switch next {
            case .limit(let number): return state.reach(number)
            case .wake(let moment): return state.wake(until: moment)
            }
        }
        guard case .limit(let number) = event else { return event != nil }
        await withCheckedContinuation { continuation in
            act { state in
                guard case .acting = state.limits[number] else { return [{ continuation.resume() }] }
                state.waitingForAction.append((number, continuation))
                return []
            }
        }
        return true
    }

    /// Lets time pass until `end`, with all sleeps and limits up to then, in order.
    func pass(until end: DispatchMoment) async {
        while await step(upTo: end) {}
        act { state in state.wake(until: end) }
    }
}
