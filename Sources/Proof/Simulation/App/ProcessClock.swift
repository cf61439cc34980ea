import PushDispatch

/// Whether an app's process is running, and the tasks in it that wait for time to pass.
///
/// A task cannot be killed with the process. It runs to its end without any effect instead: its clock shows a time
/// after all deadlines, store and network refuse, and completions are ignored.
///
/// @unchecked: only the thread of the simulation uses it.
final class ProcessClock: DispatchClock, @unchecked Sendable {
    struct ProcessEnded: Error {}

    private struct Sleeper {
        let continuation: CheckedContinuation<Void, Never>
        let entry: Timeline.ID
    }

    private static let afterEnd = DispatchMoment(milliseconds: .max / 4)

    private let timeline: Timeline
    private let start: TaskStarter
    /// Whether nothing can wait any more after the end, so that what tries again after a wait ends, too.
    private let refusesAfterEnd: Bool
    private(set) var isRunning = true
    private var sleepers: [Int: Sleeper] = [:]
    private var lastSleeper = 0

    init(_ timeline: Timeline, _ start: TaskStarter, refusesAfterEnd: Bool = false) {
        self.timeline = timeline
        self.start = start
        self.refusesAfterEnd = refusesAfterEnd
    }

    func now() -> DispatchMoment {
        isRunning ? DispatchMoment(milliseconds: timeline.now) : ProcessClock.afterEnd
    }

    func sleep(until moment: DispatchMoment) async throws {
        try Task.checkCancellation()
        if refusesAfterEnd { try check() }
        guard isRunning, moment > now() else { return }
        lastSleeper += 1
        let number = lastSleeper
        await withTaskCancellationHandler {
            await wait(number, until: moment, isCancellable: true)
        } onCancel: {
            self.wake(number)
        }
        try Task.checkCancellation()
    }

    func schedule(
        at moment: DispatchMoment, _ action: @escaping @Sendable () async -> Bool
    ) -> Task<Void, Never> {
        start { [self] in
            guard (try? await sleep(until: moment)) != nil else { return }
            _ = await action()
        }
    }

    /// Returns when the time is over or the process ends; ignores cancellation.
    func pass(_ milliseconds: Int64) async {
        guard isRunning, milliseconds > 0 else { return }
        lastSleeper += 1
        await wait(lastSleeper, until: now().advanced(byMilliseconds: milliseconds), isCancellable: false)
    }

    private func wait(_ number: Int, until moment: DispatchMoment, isCancellable: Bool) async {
        await withCheckedContinuation { continuation in
            if isCancellable && Task.isCancelled { return continuation.resume() }
            let entry = timeline.at(moment.milliseconds) { self.wake(number) }
            sleepers[number] = Sleeper(continuation: continuation, entry: entry)
        }
    }

    private func wake(_ number: Int) {
        guard let sleeper = sleepers.removeValue(forKey: number) else { return }
        timeline.cancel(sleeper.entry)
        sleeper.continuation.resume()
    }

    func check() throws(ProcessEnded) {
        if !isRunning { throw ProcessEnded() }
    }

    func stop() {
        isRunning = false
        for number in sleepers.keys.sorted() { wake(number) }
    }
}
