import APNSModel
import LoadGenerator
import Synchronization

/// The notifications of a load run, each when it is due, from a pool that was built before.
final class BenchSource: AsyncSequence, Sendable {
    typealias Element = APNSNotification
    typealias Failure = Never

    /// The shortest wait. Notifications that are due within one are sent together at its end, because shorter waits cost
    /// more than an even rate is worth.
    private static let shortestWait = Duration.microseconds(400)

    private let schedule: Mutex<Schedule>
    /// A copy to read without the lock.
    private let plan: Schedule
    private let notifications: [APNSNotification]
    private let clock = ContinuousClock()
    private let start = ContinuousClock.now
    private let stopped = Atomic(false)
    private let given = Atomic(0)

    init(_ schedule: Schedule, _ notifications: [APNSNotification]) {
        self.schedule = Mutex(schedule)
        plan = schedule
        self.notifications = notifications
    }

    /// Since the start of the run.
    var elapsed: Duration { clock.now - start }

    /// How many notifications the run has; nil where a duration limits it.
    var total: Int? { plan.total }

    /// How many notifications were returned.
    var submitted: Int { given.load(ordering: .relaxed) }

    /// The time since notification `index` was due; nil without a rate.
    func latency(_ index: Int) -> Duration? { plan.due(index).map { elapsed - $0 } }

    /// Ends the sequence.
    func stop() { stopped.store(true, ordering: .relaxed) }

    /// The next notification, once it is due; nil at the end.
    func next() async -> (slot: Schedule.Slot, notification: APNSNotification)? {
        guard let slot = claim() else { return nil }
        if let due = slot.due, due > elapsed, await !wait(until: due) { return nil }
        return (slot, notification(of: slot))
    }

    private func claim() -> Schedule.Slot? {
        stopped.load(ordering: .relaxed) ? nil : schedule.withLock { $0.next(at: elapsed) }
    }

    private func notification(of slot: Schedule.Slot) -> APNSNotification {
        given.add(1, ordering: .relaxed)
        return notifications[slot.index % notifications.count]
    }

    /// - Returns: False where the run was stopped meanwhile.
    private func wait(until due: Duration) async -> Bool {
        var now = elapsed
        let end = Swift.max(due, now + BenchSource.shortestWait)
        while now < end {
            // A long wait is split, so that it notices a stop.
            let next = start.advanced(by: Swift.min(end, now + .milliseconds(100)))
            guard (try? await clock.sleep(until: next, tolerance: .zero)) != nil, !stopped.load(ordering: .relaxed)
            else { return false }
            now = elapsed
        }
        return true
    }

    func makeAsyncIterator() -> Iterator { Iterator(source: self) }

    struct Iterator: AsyncIteratorProtocol {
        let source: BenchSource
        /// When the clock was last read. Notifications that were due by then need no other reading.
        private var now = Duration.zero

        init(source: BenchSource) { self.source = source }

        mutating func next() async -> APNSNotification? {
            guard let slot = source.claim() else { return nil }
            if let due = slot.due, due > now {
                now = source.elapsed
                if due > now {
                    guard await source.wait(until: due) else { return nil }
                    now = source.elapsed
                }
            }
            return source.notification(of: slot)
        }
    }
}
