package import PushQueue
package import WorkerCore

/// What a worker reports while it runs.
package enum WorkerNotice: Hashable, Sendable {
    case decided(WorkerEvent)
    /// Calls of the engine fail from now on.
    case queueLost(QueueError)
    case queueFound
    /// What an operator of the engine has to know.
    case warning(String)
    case draining(held: Int)
    /// The time to drain is over, and these jobs were not settled; other workers get them when their leases end.
    case leftBehind(jobs: Int)
}
