import PushDispatch

/// Whether an app's process lives, and all that waits in it for time to pass.
///
/// When it dies, what it was doing is not cut off, since a task cannot be; it is let run to its end with every door shut:
/// its clock shows a time after all deadlines, its store and its network refuse, its completions count for nothing.
///
/// @unchecked: all of it belongs to the thread of the simulation.
final class ProcessLife: DispatchClock, @unchecked Sendable {
    struct Gone: Error {}

    private struct Sleeper {
        let continuation: CheckedContinuation<Void, Never>
        let entry: Timeline.ID
    }

    private static let afterDeath = DispatchMoment(milliseconds: .max / 4)

    private let timeline: Timeline
    private let start: TaskStarter
    private(set) var isAlive = true
    private var sleepers: [Int: Sleeper] = [:]
    private var lastSleeper = 0

    init(_ timeline: Timeline, _ start: TaskStarter) {
        self.timeline = timeline
        self.start = start
    }

    func now() -> DispatchMoment {
        isAlive ? DispatchMoment(milliseconds: timeline.now) : ProcessLife.afterDeath
    }

    func sleep(until moment: DispatchMoment) async throws {
        try Task.checkCancellation()
        guard isAlive, moment > now() else { return }
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

    /// Goes on when the time is over, or with the process; no cancellation ends it.
    func pass(_ milliseconds: Int64) async {
        guard isAlive, milliseconds > 0 else { return }
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

    func check() throws(Gone) {
        if !isAlive { throw Gone() }
    }

    func die() {
        isAlive = false
        for number in sleepers.keys.sorted() { wake(number) }
    }
}
