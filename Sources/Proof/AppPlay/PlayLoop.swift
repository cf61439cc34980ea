import Foundation
package import PushDispatch

/// Runs all tasks of the played app one after the other, and knows therefore when nothing is left to do: no job is ready, no
/// request is under way, and whatever waits, waits for virtual time.
///
/// `@unchecked Sendable`: the condition protects `jobs`, `orders`, `isInterrupted` and `last`; only the thread uses the rest, or
/// the main queue while the thread waits for it.
package final class PlayLoop: TaskExecutor, @unchecked Sendable {
    /// How an order ended.
    package enum Ending: Hashable, Sendable {
        case done
        /// It waits for virtual time, which nothing moves. Its task was cancelled.
        case stuck
        /// The play was interrupted before.
        case interrupted
    }

    private enum Work {
        case run(Task<Void, Never>, Flag)
        case wait
        case advance(until: Int64)
    }

    private enum Order {
        case run(@Sendable () async -> Void)
        case wait
        case advance(by: Int64)
    }

    /// Only the thread uses it.
    private final class Flag: @unchecked Sendable { var isSet = false }

    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var orders: [(order: Order, continuation: CheckedContinuation<Ending, Never>)] = []
    private var isInterrupted = false
    private var last: (cleanUp: @Sendable () -> Void, continuation: CheckedContinuation<Void, Never>)?

    private var time = PlayTime()
    private var sleepers: [Int: CheckedContinuation<Void, Never>] = [:]
    private var current: (work: Work, continuation: CheckedContinuation<Ending, Never>)?
    private var isCancelled = false
    private let takesMainActor: Bool
    private let real: @Sendable () -> Int64

    /// - Parameters:
    ///   - takesMainActor: For an app that lives on the main actor. Its other jobs run on the main queue too then, one after the
    ///     other, and the app is idle only when the main actor is. The main thread must be free for it.
    ///   - real: Milliseconds of a monotonic clock.
    package init(
        takesMainActor: Bool = false,
        real: @escaping @Sendable () -> Int64 = { SystemDispatchClock(.awake).now().milliseconds }
    ) {
        self.takesMainActor = takesMainActor
        self.real = real
        let thread = Thread { [self] in loop() }
        thread.name = "play"
        thread.start()
    }

    // MARK: From any thread

    /// Runs an operation until it ends.
    package func run(_ operation: @escaping @Sendable () async -> Void) async -> Ending { await give(.run(operation)) }

    /// Waits until nothing is under way.
    package func wait() async -> Ending { await give(.wait) }

    /// Lets virtual time pass. Whatever is due on the way happens, and a request that it starts takes its real time.
    package func advance(byMilliseconds duration: Int64) async -> Ending { await give(.advance(by: duration)) }

    /// Ends the current order and refuses all later ones.
    package func interrupt() {
        condition.withLock {
            isInterrupted = true
            condition.signal()
        }
    }

    /// Ends the thread, after the current order. Call it once, and give no order afterwards.
    ///
    /// - Parameter cleanUp: Called on the thread; it has to end all requests. Tasks that wait for anything else never go on.
    package func end(_ cleanUp: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            condition.withLock {
                last = (cleanUp, continuation)
                condition.signal()
            }
        }
    }

    private func give(_ order: Order) async -> Ending {
        await withCheckedContinuation { continuation in
            let isRefused = condition.withLock {
                guard !isInterrupted else { return true }
                orders.append((order, continuation))
                condition.signal()
                return false
            }
            if isRefused { continuation.resume(returning: .interrupted) }
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            condition.signal()
        }
    }

    /// Starts the tasks of the app.
    package var tasks: TaskStarter {
        TaskStarter { [self] operation in Task(executorPreference: self, operation: operation) }
    }

    // MARK: From the thread of the loop

    /// Milliseconds since the play began.
    package var now: Int64 { time.now(real: real()) }

    package func requestBegan() { time.requestBegan(real: real()) }

    package func requestEnded() { time.requestEnded(real: real()) }

    /// Returns at the moment, or when `wake` is called for it.
    ///
    /// - Parameter began: Gets the number for `wake`.
    func sleep(until moment: Int64, began: (Int) -> Void) async {
        await withCheckedContinuation { continuation in
            guard !Task.isCancelled, let number = time.sleep(until: moment, real: real()) else {
                return continuation.resume()
            }
            sleepers[number] = continuation
            began(number)
        }
    }

    func wake(_ sleeper: Int) {
        if time.wake(sleeper) { sleepers.removeValue(forKey: sleeper)?.resume() }
    }

    private func loop() {
        var leaves: CheckedContinuation<Void, Never>?
        while true {
            runJobs()
            guard !fireDue() else { continue }
            // Nothing can happen now before a job comes, time passes or an order is given.
            if let (work, continuation) = current {
                guard let ending = outcome(of: work) else {
                    goOn(with: work)
                    continue
                }
                current = nil
                continuation.resume(returning: ending)
            } else if let leaves, time.requestsUnderWay == 0 {
                return leaves.resume()
            } else if let ending = takeLast() {
                leaves = ending.continuation
                ending.cleanUp()
            } else if !takeOrder() {
                pause(until: time.nextDue(orAt: nil))
            }
        }
    }

    private func runJobs() {
        while true {
            let ready = condition.withLock {
                defer { jobs.removeAll(keepingCapacity: true) }
                return jobs
            }
            guard !ready.isEmpty else { return }
            if takesMainActor { MainTurn.run { run(ready) } } else { run(ready) }
        }
    }

    private func run(_ jobs: [UnownedJob]) {
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// - Returns: Whether a sleeper was woken.
    private func fireDue() -> Bool {
        let due = time.takeDue(real: real())
        for sleeper in due { sleepers.removeValue(forKey: sleeper)?.resume() }
        return !due.isEmpty
    }

    private func outcome(of work: Work) -> Ending? {
        if condition.withLock({ isInterrupted }) {
            if case .run(let task, _) = work { task.cancel() }
            return .interrupted
        }
        switch work {
        case .run(_, let flag): return flag.isSet ? (isCancelled ? .stuck : .done) : nil
        case .wait: return time.requestsUnderWay == 0 ? .done : nil
        case .advance(let end): return now >= end ? .done : nil
        }
    }

    private func goOn(with work: Work) {
        var end: Int64?
        if case .advance(let moment) = work { end = moment }
        guard !time.isRunning else { return pause(until: time.nextDue(orAt: end)) }
        if let end { return time.move(upTo: end) }
        // What waits with no request under way waits for virtual time.
        guard case .run(let task, let flag) = work else { return }
        if isCancelled {
            flag.isSet = true
        } else {
            isCancelled = true
            task.cancel()
        }
    }

    private func takeLast() -> (cleanUp: @Sendable () -> Void, continuation: CheckedContinuation<Void, Never>)? {
        condition.withLock {
            guard orders.isEmpty else { return nil }
            defer { last = nil }
            return last
        }
    }

    private func takeOrder() -> Bool {
        let order = condition.withLock { orders.isEmpty ? nil : orders.removeFirst() }
        guard let order else { return false }
        isCancelled = false
        let work: Work
        switch order.order {
        case .run(let operation):
            let flag = Flag()
            let task = Task(executorPreference: self) {
                await operation()
                flag.isSet = true
            }
            work = .run(task, flag)
        case .wait: work = .wait
        case .advance(let duration):
            let (end, overflow) = now.addingReportingOverflow(max(0, duration))
            work = .advance(until: overflow ? .max : end)
        }
        current = (work, order.continuation)
        return true
    }

    /// Waits until there is a job, an order, an interruption or the end, or real time reaches `end`.
    private func pause(until end: Int64?) {
        let wait = end.map { max(0, $0 - real()) }
        condition.withLock {
            let isDue = current == nil ? !orders.isEmpty || last != nil : isInterrupted
            guard jobs.isEmpty, !isDue else { return }
            if let wait {
                _ = condition.wait(until: Date(timeIntervalSinceNow: Double(wait) / 1_000))
            } else {
                condition.wait()
            }
        }
    }
}
