import PushDispatch

/// A run of app libraries and their service on one timeline: every job is run by `settle` or `wait`.
protocol AppRun: SeededRun, Sendable {
    var executor: VirtualExecutor { get }
    var timeline: Timeline { get }
    /// False from the moment at which faults stop.
    var injectsFaults: Bool { get set }
    var faults: AppFaults { get }
    /// When the next crash comes, counted in jobs; nil for never.
    var crashAt: Int? { get set }
    /// Ends a process.
    func crash()
}

/// How often something goes wrong between an app and its service, and at the app's stores.
struct AppFaults {
    /// Percentage of the messages between device and service that are lost, in either direction.
    var lostPercent = 0
    var slowPercent = 0
    /// Percentage of the requests that arrive twice, the second time up to a minute later.
    var doubledPercent = 0
    /// Percentage of the requests that the service refuses.
    var refusalPercent = 0
    /// Percentage of the calls of a store that fail.
    var storeFaultPercent = 0
    /// Percentage of the calls of a store before or after which the process ends.
    var storeKillPercent = 0
    /// The average number of jobs between crashes; nil for none except those of the script.
    var jobsBetweenCrashes: Int?
}

private let maximumJobs = 400_000

extension AppRun {
    /// Decides whether a fault happens; never once faults have stopped.
    func injectsFault(_ percent: Int) -> Bool { injectsFaults && chance(percent) }

    /// Runs until everything is idle, or until `end`.
    func settle(until end: Int64? = nil) {
        while executor.count < maximumJobs {
            while executor.runNext() {
                if executor.count >= maximumJobs { return reportViolation("the run does not become idle") }
                crashIfDue()
            }
            guard let next = timeline.next, end.map({ next <= $0 }) ?? true else { break }
            timeline.runNext()
        }
        if let end { timeline.wait(until: end) }
    }

    /// Runs until `body` has ended. No time passes unless it waits.
    func wait(_ body: @escaping @Sendable () async -> Void) {
        let done = EndFlag()
        executor.tasks {
            await body()
            done.isSet = true
        }
        while !done.isSet, executor.count < maximumJobs {
            if executor.runNext() { continue }
            guard timeline.next != nil else { return reportViolation("a task waits for an event that never happens") }
            timeline.runNext()
        }
    }

    func setCrash() { crashAt = faults.jobsBetweenCrashes.map { executor.count + 1 + number(below: 2 * $0) } }

    private func crashIfDue() {
        guard let crashAt, executor.count >= crashAt else { return }
        setCrash()
        guard injectsFaults else { return self.crashAt = nil }
        crash()
    }
}

/// @unchecked: only the thread of the simulation uses it.
private final class EndFlag: @unchecked Sendable { var isSet = false }
