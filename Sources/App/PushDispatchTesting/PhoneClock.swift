public import Foundation
public import PushDispatch

/// The time of a phone: it passes when the code under test sleeps, and at once.
///
/// The app gets it in place of `SystemDispatchClock`, and so do the doubles that answer for a server: `try await
/// clock.sleep(seconds: 3)` is a server that takes three seconds, and costs the test none. Where a limit comes before
/// the end of a sleep, such as the one at which a dispatcher stops its handler, the clock stops there and the limit
/// acts first. What sleeps in code that the launch of the app started, such as a loop that syncs every quarter of an
/// hour, moves no time: it wakes up when the time comes by.
///
/// Unchecked, because the lock protects `state`.
public final class PhoneClock: DispatchClock, @unchecked Sendable {
    /// Whether the code that asks was started with the app, and not by a push or by the test.
    @TaskLocal static var startedAtLaunch = false

    fileprivate typealias Sleep = CheckedContinuation<Void, any Error>

    fileprivate struct Sleeper {
        let until: DispatchMoment
        let drives: Bool
        let continuation: Sleep
    }

    fileprivate struct Limit {
        let moment: DispatchMoment
        var waiting: CheckedContinuation<Bool, Never>?
    }

    fileprivate struct State {
        var now = DispatchMoment(milliseconds: 0)
        var lastNumber = 0
        var sleepers: [Int: Sleeper] = [:]
        /// Code that waits for nothing that will ever come.
        var hanging: [Int] = []
        /// Cancelled before they slept.
        var cancelled: Set<Int> = []
        var limits: [Int: Limit] = [:]
        /// Limits reached before their task waited for them.
        var early: Set<Int> = []
        /// Limits reached whose action is not over.
        var acting: Set<Int> = []
        /// Who waited when each of these was reached: numbers up to this one.
        var limited: [Int: Int] = [:]
        /// Sleepers up to this number waited when a limit stopped something: they do not move the time any more.
        var lastReached = 0
        var done: [(limit: Int, continuation: CheckedContinuation<Void, Never>)] = []
        /// Counts what happened, to see whether anything does.
        var activity = 0

        mutating func nextNumber() -> Int {
            lastNumber += 1
            activity += 1
            return lastNumber
        }
    }

    private let lock = NSLock()
    private var state = State()
    /// The date at which the phone was made, by its own calendar.
    public let start: Date

    /// - Parameter start: 1 January 2026, 00:00 UTC, unless the test needs another date.
    public init(start: Date = Date(timeIntervalSince1970: 1_767_225_600)) { self.start = start }

    public func now() -> DispatchMoment { lock.withLock { state.now } }

    /// The date on the phone.
    public var date: Date { start.addingTimeInterval(Double(now().milliseconds) / 1_000) }

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
        let drives = !PhoneClock.startedAtLaunch
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: Sleep) in
                act { state in
                    if state.cancelled.remove(number) != nil {
                        return [{ continuation.resume(throwing: CancellationError()) }]
                    }
                    guard moment > state.now else { return [{ continuation.resume() }] }
                    state.sleepers[number] = Sleeper(until: moment, drives: drives, continuation: continuation)
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
            state.limits[number] = Limit(moment: moment)
            return number
        }
        let task = Task {
            guard await isReached(number) else { return }
            acted(number, await action())
        }
        act { state in
            guard moment <= state.now, state.limits[number] != nil else { return [] }
            return state.reach(number)
        }
        return task
    }

    private func isReached(_ number: Int) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                act { state in
                    if state.early.remove(number) != nil { return [{ continuation.resume(returning: true) }] }
                    guard state.limits[number] != nil else { return [{ continuation.resume(returning: false) }] }
                    state.limits[number]?.waiting = continuation
                    return []
                }
            }
        } onCancel: {
            act { state in
                // Reached already: the action runs, and finds that it is too late.
                guard let limit = state.limits.removeValue(forKey: number) else { return [] }
                state.activity += 1
                return [{ limit.waiting?.resume(returning: false) }]
            }
        }
    }

    private func acted(_ number: Int, _ hasLimited: Bool) {
        act { state in
            state.acting.remove(number)
            // What sleeps may have been stopped, and its end is not to be waited for in the phone's time.
            if hasLimited { state.lastReached = max(state.lastReached, state.limited[number] ?? 0) }
            state.limited[number] = nil
            state.activity += 1
            let waiting = state.done.filter { $0.limit == number }.map(\.continuation)
            state.done.removeAll { $0.limit == number }
            return waiting.map { continuation in { continuation.resume() } } + state.drive()
        }
    }

    private typealias Resumption = () -> Void

    /// Decides under the lock, resumes after it.
    private func act(_ decide: (inout State) -> [Resumption]) {
        for resume in lock.withLock({ decide(&state) }) { resume() }
    }
}

// MARK: - Time passes

extension PhoneClock {
    /// Moves on to the next thing that waits for a time, and returns when a limit has acted.
    ///
    /// - Parameter end: Nothing later than this; nil for whatever is next.
    /// - Returns: Whether there was anything.
    func step(upTo end: DispatchMoment? = nil) async -> Bool {
        enum Step {
            case nothing, woke
            case limit(Int)
        }
        var step = Step.nothing
        act { state in
            let limit = state.limits.min { ($0.value.moment, $0.key) < ($1.value.moment, $1.key) }
            let sleeper = state.sleepers.min { ($0.value.until, $0.key) < ($1.value.until, $1.key) }
            if let limit, end.map({ limit.value.moment <= $0 }) ?? true,
                sleeper.map({ limit.value.moment <= $0.value.until }) ?? true
            {
                step = .limit(limit.key)
                return state.reach(limit.key)
            }
            guard let sleeper, end.map({ sleeper.value.until <= $0 }) ?? true else { return [] }
            step = .woke
            return state.wake(until: sleeper.value.until)
        }
        guard case .limit(let number) = step else {
            if case .woke = step { return true }
            return false
        }
        await withCheckedContinuation { continuation in
            act { state in
                guard state.acting.contains(number) else { return [{ continuation.resume() }] }
                state.done.append((number, continuation))
                return []
            }
        }
        return true
    }

    /// Lets time pass, with all that is due in it, in order.
    func pass(until end: DispatchMoment) async {
        while await step(upTo: end) {}
        act { state in state.wake(until: end) }
    }
}

extension PhoneClock.State {
    /// Lets the time of the next sleep pass, or what is left until a limit that comes before its end.
    mutating func drive() -> [() -> Void] {
        guard acting.isEmpty else { return [] }
        let next = sleepers.filter { $0.value.drives && $0.key > lastReached }.map(\.value.until).min()
        let limit = limits.min { ($0.value.moment, $0.key) < ($1.value.moment, $1.key) }
        guard let next else {
            guard let limit, hanging.contains(where: { $0 > lastReached }) else { return [] }
            return reach(limit.key)
        }
        if let limit, limit.value.moment <= next { return reach(limit.key) }
        return wake(until: next)
    }

    mutating func reach(_ number: Int) -> [() -> Void] {
        guard let limit = limits.removeValue(forKey: number) else { return [] }
        activity += 1
        now = max(now, limit.moment)
        acting.insert(number)
        limited[number] = lastNumber
        guard let waiting = limit.waiting else {
            early.insert(number)
            return []
        }
        return [{ waiting.resume(returning: true) }]
    }

    mutating func wake(until moment: DispatchMoment) -> [() -> Void] {
        activity += 1
        now = max(now, moment)
        let due = sleepers.filter { $0.value.until <= now }
            .sorted { ($0.value.until, $0.key) < ($1.value.until, $1.key) }
        for (number, _) in due { sleepers[number] = nil }
        return due.map { sleeper in { sleeper.value.continuation.resume() } }
    }
}
