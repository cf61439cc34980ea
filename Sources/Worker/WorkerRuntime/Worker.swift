import APNSModel
import APNSPayload
import APNSProvider
import APNSTransport
package import PushQueue
import Synchronization
package import WorkerCore

/// Runs a `WorkerCore`: reserves from a queue, sends, settles.
///
/// What it does is decided in the core, behind one lock; this type only performs it. Its loops are those of `run`: reserving,
/// waiting for jobs, settling, and what depends on time.
package final class Worker: Sendable {
    package struct Options: Sendable {
        package var name: ConsumerName
        package var settings: WorkerSettings
        package var validates = true
        /// How many results the engine keeps.
        package var resultsKept = 1_000_000
        /// Whether an earlier process may have had this name.
        package var isNameStable = false
        /// How often it looks for what an operator has to know.
        package var lookInterval = Duration.seconds(60)

        package init(name: ConsumerName, settings: WorkerSettings) {
            self.name = name
            self.settings = settings
        }
    }

    /// What fails by itself, so that its errors are told apart.
    enum QueueWork: Hashable, Sendable {
        /// And extending leases.
        case reserving
        case settling
        /// Moving scheduled jobs to their lanes. Where the engine refuses it for good, the worker is ready without it.
        case moving
        /// Taking tokens of limits.
        case limiting
    }

    /// Whether the worker cannot work as long as an error lasts.
    static func isOutage(_ error: QueueError, of work: QueueWork) -> Bool { work != .moving || error.isTemporary }

    struct State: Sendable {
        var core: WorkerCore
        var tenants: [WorkerTenant]
        var senders: [Int: TenantSender] = [:]
        /// Senders with former credentials that still wait for outcomes.
        var retired: [TenantSender] = []
        /// How often the credentials were read again.
        var reloads = 0
        /// Whether the queue could be prepared at the start.
        var isPrepared = false
        var isStopping = false
        /// Whether no job can come any more.
        var hasReservedAll = false
        var drainLimit = Duration.zero
        /// Why the engine gave no answer, when it was last asked; the errors of settling and moving stay until these succeed.
        var lost: [QueueWork: QueueError] = [:]
        /// The errors that were reported, until the engine's answer was.
        var toldLosses: Set<QueueError.Code> = []
        /// Why a worker that runs once gave up.
        var failure: QueueError?
        /// Whether an answer of `reserve` was lost, or jobs could not be given back.
        var needsReclaim = false
        var watch = LaneWatch()

        /// What to reserve now; no demands where nothing can be taken, or a wait watches all lanes.
        mutating func question(at now: MonotonicTime) -> LaneWatch.Question {
            watch.question(core.demands(at: now), isLast: core.settings.isOnce && core.isIdle)
        }
    }

    let queue: any JobQueue
    let options: Options
    let state: Mutex<State>
    let notice: @Sendable (WorkerNotice) -> Void
    /// Raised when there may be something to reserve, to wait for, to settle.
    let reserving = WakeSignal()
    let waiting = WakeSignal()
    let settling = WakeSignal()
    let stopping = WakeSignal()

    package init(
        queue: any JobQueue, tenants: [WorkerTenant], options: Options,
        notice: @escaping @Sendable (WorkerNotice) -> Void
    ) {
        self.queue = queue
        self.options = options
        self.notice = notice
        state = Mutex(
            State(core: WorkerCore(options.settings, tenants: tenants.map(\.settings)), tenants: tenants))
    }

    package var view: WorkerView {
        state.withLock { state in
            var view = WorkerView(counts: state.core.counts)
            (view.waiting, view.inFlight) = (state.core.waiting, state.core.inFlight)
            view.heldJobs = state.core.heldJobs
            view.pauses = state.core.pauses
            view.breakers = state.core.breakers
            view.rates = state.core.rates
            view.isDraining = state.isStopping
            view.hasQueue = state.isPrepared && !state.lost.contains { Worker.isOutage($0.value, of: $0.key) }
            return view
        }
    }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    // MARK: Life

    /// Reaches the queue; `run` does it where nobody did it before.
    ///
    /// - Throws: The error of the engine when the queue cannot be prepared.
    package func prepare() async throws(QueueError) {
        guard !state.withLock({ $0.isPrepared }) else { return }
        try await queue.prepare(options.settings.lanes.names)
        if options.isNameStable {
            await lookForNamesake()
            _ = try await queue.reclaim(except: [], as: options.name)
        }
        state.withLock { $0.isPrepared = true }
    }

    /// Reports a worker of this name that did something a short time ago. It may still run, or was killed a moment ago, as before
    /// a restart by Kubernetes. One that was stopped in order has removed its name.
    private func lookForNamesake() async {
        let status = try? await queue.status()
        guard let other = status?.consumers.first(where: { $0.name == options.name }),
            other.idle < options.settings.lease / 3
        else { return }
        notice(
            .warning(
                "another worker named \(options.name) was active \(other.idle.components.seconds) s ago; if it still runs, "
                    + "pushes are sent twice: two workers must not have one name"))
    }

    /// Works until `stop`, or with `isOnce` until nothing is ready or pending. If the task is cancelled, it stops without
    /// waiting for what is in flight.
    ///
    /// - Throws: The error of the engine when the queue cannot be prepared at the start. Later failures are retried; with
    ///   `isOnce` only some times where no wait helps.
    package func run() async throws(QueueError) {
        try await prepare()
        // Before the first job comes, some engines note nothing else.
        try? await queue.announce(options.settings.lanes.names, as: options.name)
        let warnings = await look()
        let reserveTask = Task { await reserveLoop() }
        let settleTask = Task { await settleLoop() }
        let waitTasks = [Task { await waitLoop() }, Task { await rateLoop() }, Task { await lookLoop(warnings) }]
        let clockTask = Task { await clockLoop() }
        await stopping.wait()
        stop(within: .zero)
        // In a task of its own, because calls of the engine fail in one that is cancelled.
        await Task { await end(reserveTask, settleTask, waitTasks, clockTask) }.value
        for event in state.withLock({ $0.core.takeEvents(at: .now, isLast: true) }) { notice(.decided(event)) }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// How long after the end of the time to drain calls of the engine may take.
    private static let margin = Duration.seconds(2)
    /// The name of a worker without jobs that did nothing for so long is removed.
    private static let oldestIdle = Duration.seconds(3600)

    /// Reports what an operator has to know, and removes the names of workers that are gone.
    ///
    /// - Returns: What it reported.
    private func look() async -> [String] {
        guard let (status, warnings) = await statusAndWarnings() else { return [] }
        for warning in warnings { notice(.warning(warning)) }
        let idle = max(Worker.oldestIdle, options.settings.lease * 10)
        let gone = status?.consumers.filter { $0.pending == 0 && $0.idle > idle } ?? []
        for worker in gone.prefix(100) { _ = try? await queue.remove(worker.name) }
        return warnings
    }

    /// Reports what an operator has to know and was not said before, and says that the lanes are read, also while nothing is
    /// reserved.
    private func lookLoop(_ known: [String]) async {
        var known = known
        while (try? await Task.sleep(for: options.lookInterval)) != nil {
            try? await queue.announce(options.settings.lanes.names, as: options.name)
            guard let (_, warnings) = await statusAndWarnings() else { continue }
            for warning in warnings where !known.contains(warning) { notice(.warning(warning)) }
            known = warnings
        }
    }

    /// What an operator has to know includes that the status can never be read, as without a right. Nil where the engine does
    /// not answer for a while.
    private func statusAndWarnings() async -> (status: QueueStatus?, warnings: [String])? {
        do throws(QueueError) {
            let status = try await queue.status()
            return (status, status.warnings + status.unreadStreams)
        } catch {
            guard !error.isTemporary, error.code != .cancelled, error.code != .closed else { return nil }
            return (status: nil, warnings: ["\(error.detail); until this is corrected, lost jobs are not reported"])
        }
    }

    private func end(
        _ reserveTask: Task<Void, Never>, _ settleTask: Task<Void, Never>, _ waitTasks: [Task<Void, Never>],
        _ clockTask: Task<Void, Never>
    ) async {
        let end = ContinuousClock.now + state.withLock { $0.drainLimit }
        // An engine that hangs must not keep the worker from ending.
        let closing = Task {
            try await Task.sleep(for: ContinuousClock.now.duration(to: end + Worker.margin))
            await queue.close()
        }
        reserving.finish()
        waiting.finish()
        for task in waitTasks { task.cancel() }
        await drain(until: end)
        // Not cancelled: what it reserves now has to be given back.
        await reserveTask.value
        state.withLock { $0.hasReservedAll = true }
        await endSettling(settleTask, until: end)
        // Until here it extends the leases of what is held.
        clockTask.cancel()
        for task in waitTasks + [clockTask] { await task.value }
        try? await reclaimIfNeeded()
        _ = try? await queue.remove(options.name)
        closing.cancel()
        await queue.close()
    }

    /// Reserves nothing more, waits at most `limit` for what is in flight, and hands the rest back.
    package func stop(within limit: Duration) {
        let isFirst = state.withLock { state in
            defer { state.isStopping = true }
            if !state.isStopping { state.drainLimit = limit }
            return !state.isStopping
        }
        if isFirst { stopping.finish() }
    }

    private func drain(until end: ContinuousClock.Instant) async {
        let (released, senders, held) = state.withLock { state in
            let held = state.core.heldJobs
            let released = state.core.drain(at: .now)
            defer { state.senders = [:] }
            return (released, Array(state.senders.values) + state.retired, held)
        }
        notice(.draining(held: held))
        settling.raise()
        // Settling has a second of its own after it.
        let left = max(.milliseconds(100), ContinuousClock.now.duration(to: end))
        // An engine that is slow takes nothing from the time of the senders.
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.release(released) }
            for sender in senders { group.addTask { await sender.close(within: left) } }
        }
        settling.raise()
    }

    /// Makes jobs of which nothing was sent ready for others. Where that fails, `reclaim` does it later.
    func release(_ jobs: [JobID]) async {
        do throws(QueueError) {
            for part in stride(from: 0, to: jobs.count, by: 1000) {
                try await queue.release(Array(jobs[part..<min(part + 1000, jobs.count)]), as: options.name)
            }
        } catch {
            state.withLock { $0.needsReclaim = true }
        }
    }

    /// Waits until everything is settled, at least a second.
    private func endSettling(_ task: Task<Void, Never>, until end: ContinuousClock.Instant) async {
        let deadline = Task {
            try await Task.sleep(for: max(.seconds(1), ContinuousClock.now.duration(to: end)))
            task.cancel()
            settling.finish()
        }
        settling.raise()
        await task.value
        deadline.cancel()
        let left = state.withLock { $0.core.heldJobs }
        if left > 0 { notice(.leftBehind(jobs: left)) }
    }

    /// Takes new credentials for the tenants that there are. What was given to the old senders is sent with the old ones.
    ///
    /// - Returns: The tenants of which it does not take everything.
    @discardableResult
    package func reload(_ tenants: [WorkerTenant]) -> ReloadedTenants {
        let (old, blocked, time, reloaded) = state.withLock { state in
            var reloaded = ReloadedTenants()
            for (index, tenant) in state.tenants.enumerated() {
                guard let new = tenants.first(where: { $0.settings.name == tenant.settings.name }),
                    reloaded.note(new.settings, for: tenant.settings)
                else { continue }
                state.tenants[index].open = new.open
                state.tenants[index].defaults = new.defaults
            }
            state.reloads += 1
            let now = MonotonicTime.now
            let blocked = state.core.blockedTenants
            state.core.credentialsChanged(at: now)
            let former = Array(state.senders.values)
            state.retired += former
            state.senders = [:]
            return (former, blocked, state.core.engineTime(at: now), reloaded)
        }
        for sender in old {
            Task {
                await sender.close(within: .seconds(60))
                state.withLock { state in state.retired.removeAll { $0 === sender } }
            }
        }
        pump()
        guard let time, !blocked.isEmpty else { return reloaded }
        Task {
            await hurry(blocked, keptBefore: time + Worker.settlingTime)
            // Again, for what was being settled meanwhile.
            guard (try? await Task.sleep(for: .milliseconds(Worker.settlingTime))) != nil else { return }
            await hurry(blocked, keptBefore: time + Worker.settlingTime)
        }
        return reloaded
    }

    /// What was deferred when the credentials were read again is usually in the engine after so many milliseconds.
    private static let settlingTime: Int64 = 1000

    // MARK: Sending

    /// Gives the senders what may be sent now.
    func pump() {
        let (work, events) = state.withLock { state in
            let batches = state.core.dispatch(at: .now)
            let work = batches.map { batch in (sender(for: batch.tenant, &state), batch) }
            return (work, state.core.takeEvents(at: .now))
        }
        for event in events { notice(.decided(event)) }
        for (sender, batch) in work {
            switch sender {
            case .success(let sender): sender.post(batch.pushes)
            case .failure(let error): report(batch.pushes.map { Worker.unsendable($0, error) })
            }
        }
    }

    private func sender(
        for tenant: Int, _ state: inout sending State
    ) -> Result<TenantSender, ProviderConfigurationError> {
        if let sender = state.senders[tenant] { return .success(sender) }
        do throws(ProviderConfigurationError) {
            let sender = TenantSender(try state.tenants[tenant].open()) { [weak self] finished in
                self?.report(finished)
            }
            state.senders[tenant] = sender
            return .success(sender)
        } catch {
            return .failure(error)
        }
    }

    private static func unsendable(_ push: OutgoingPush, _ error: ProviderConfigurationError) -> WorkerCore.Finished {
        let error = APNSSendError(.signingFailed, error.detail, isSafeToRetry: true)
        return WorkerCore.Finished(
            push.reference,
            APNSSendResult(index: 0, notification: push.notification, outcome: .unsent(error), attempts: 0))
    }

    /// Pushes have their outcomes.
    private func report(_ finished: [WorkerCore.Finished]) {
        guard !finished.isEmpty else { return }
        let hasEnded = state.withLock { state in
            let now = MonotonicTime.now
            for push in finished { state.core.finish(push, at: now) }
            return state.core.hasEnded
        }
        if hasEnded { settling.raise() }
        pump()
        reserving.raise()
    }
}
