import APNSModel
import PushDispatch

/// Runs every job of a simulation on the thread that asks for it. Which of those that are ready comes next, the seed says.
///
/// @unchecked: all of it belongs to that one thread.
final class VirtualExecutor: TaskExecutor, @unchecked Sendable {
    private var jobs: [UnownedJob] = []
    private var random: SeededGenerator
    private(set) var count = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

    /// - Returns: False where there was nothing to run.
    func runNext() -> Bool {
        guard !jobs.isEmpty else { return false }
        let job = jobs.remove(at: jobs.count == 1 ? 0 : Int(random.next() % UInt64(jobs.count)))
        count += 1
        job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }

    /// For the actors: all that they begin runs here.
    var tasks: TaskStarter {
        TaskStarter { [self] operation in Task(executorPreference: self, operation: operation) }
    }
}
