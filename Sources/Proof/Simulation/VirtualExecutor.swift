import APNSModel
import AppPlay
import PushDispatch

/// Runs every job of a simulation on the thread that calls `runNext`. The seed decides which of the ready jobs is next.
///
/// @unchecked: only that one thread uses it, or the main queue while the thread waits for it.
final class VirtualExecutor: TaskExecutor, @unchecked Sendable {
    private var jobs: [UnownedJob] = []
    private var random: SeededGenerator
    private(set) var count = 0

    private let takesMainActor: Bool

    /// - Parameter takesMainActor: For libraries that live on the main actor. Every job runs on the main queue then, and what
    ///   it has started on the main actor runs before the next one.
    init(seed: UInt64, takesMainActor: Bool = false) {
        random = SeededGenerator(seed: seed)
        self.takesMainActor = takesMainActor
    }

    func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

    /// - Returns: False if no job was ready.
    func runNext() -> Bool {
        guard !jobs.isEmpty else { return false }
        let job = jobs.remove(at: jobs.count == 1 ? 0 : Int(random.next() % UInt64(jobs.count)))
        count += 1
        if takesMainActor {
            MainTurn.run { job.runSynchronously(on: asUnownedTaskExecutor()) }
        } else {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
        return true
    }

    /// Starts tasks of the actors on this executor.
    var tasks: TaskStarter {
        TaskStarter { [self] operation in Task(executorPreference: self, operation: operation) }
    }
}
