import APNSModel
import LoadGenerator
import Synchronization

/// Gives the notifications of a load run when they are due, from a pool that is made before.
final class BenchSource: AsyncSequence, Sendable {
    typealias Element = APNSNotification
    typealias Failure = Never

    /// Shorter waits cost more than they bring in evenness: what is due within one goes out together at its end.
    private static let shortestWait = Duration.microseconds(400)

    private let schedule: Mutex<Schedule>
    /// A copy to ask without the lock.
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

    /// How many the run has, where that is known.
    var total: Int? { plan.total }

    /// How many it has given.
    var submitted: Int { given.load(ordering: .relaxed) }

    /// From the moment at which notification `index` was due until now; nil without a rate.
    func latency(_ index: Int) -> Duration? { plan.due(index).map { elapsed - $0 } }

    /// Nothing more is given.
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

    /// - Returns: Whether anything is still to be sent.
    private func wait(until due: Duration) async -> Bool {
        var now = elapsed
        let end = Swift.max(due, now + BenchSource.shortestWait)
        while now < end {
            // A long wait is cut, so that it sees a stop.
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
        /// When the clock was read last. What was due by then needs no other look at it.
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
