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

        package init(name: ConsumerName, settings: WorkerSettings) {
            self.name = name
            self.settings = settings
        }
    }

    struct State: Sendable {
        var core: WorkerCore
        var tenants: [WorkerTenant]
        var senders: [Int: TenantSender] = [:]
        var retired: [TenantSender] = []
        var readers: [Int: JobReader] = [:]
        var isStopping = false
        var drainLimit = Duration.zero
        var lostQueue: QueueError?
        /// Whether an answer of `reserve` was lost.
        var needsReclaim = false
        /// The lanes that had no job when they were last asked.
        var emptyLanes: [LaneName] = []
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
            WorkerView(
                counts: state.core.counts, waiting: state.core.waiting, inFlight: state.core.inFlight,
                heldJobs: state.core.heldJobs, pauses: state.core.pauses, breakers: state.core.breakers,
                isDraining: state.isStopping, hasQueue: state.lostQueue == nil)
        }
    }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    // MARK: Life

    /// Works until `stop`, or with `isOnce` until nothing is ready or pending.
    ///
    /// - Throws: The error of the engine when the queue cannot be had at the start. Later failures are retried.
    package func run() async throws(QueueError) {
        try await queue.prepare(options.settings.lanes.names)
        if options.isNameStable { _ = try await queue.reclaim(except: [], as: options.name) }
        for warning in (try? await queue.status())?.warnings ?? [] { notice(.warning(warning)) }
        let loops = [
            Task { await reserveLoop() }, Task { await waitLoop() }, Task { await clockLoop() },
            Task { await rateLoop() },
        ]
        let settleTask = Task { await settleLoop() }
        await stopping.wait()
        reserving.finish()
        waiting.finish()
        await drain()
        for loop in loops { loop.cancel() }
        for loop in loops { await loop.value }
        await endSettling(settleTask)
        _ = try? await queue.remove(options.name)
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

    private func drain() async {
        let start = ContinuousClock.now
        let (released, senders, held, limit) = state.withLock { state in
            let held = state.core.heldJobs
            let released = state.core.drain(at: .now)
            defer { state.senders = [:] }
            return (released, Array(state.senders.values) + state.retired, held, state.drainLimit)
        }
        notice(.draining(held: held))
        settling.raise()
        for part in stride(from: 0, to: released.count, by: 1000) {
            try? await queue.release(Array(released[part..<min(part + 1000, released.count)]), as: options.name)
        }
        // A second of the limit is for settling.
        let left = max(.milliseconds(100), limit - .seconds(1) - (ContinuousClock.now - start))
        await withTaskGroup(of: Void.self) { group in
            for sender in senders { group.addTask { await sender.close(within: left) } }
        }
        settling.raise()
    }

    /// Waits until everything is settled, at most two seconds longer than the engine answers.
    private func endSettling(_ task: Task<Void, Never>) async {
        let deadline = Task {
            try await Task.sleep(for: .seconds(2))
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
    package func reload(_ tenants: [WorkerTenant]) {
        let old = state.withLock { state in
            for (index, tenant) in state.tenants.enumerated() {
                guard let new = tenants.first(where: { $0.settings.name == tenant.settings.name }) else { continue }
                state.tenants[index].open = new.open
                state.tenants[index].defaults = new.defaults
                state.readers[index] = nil
            }
            state.core.credentialsChanged(at: .now)
            defer { state.senders = [:] }
            return Array(state.senders.values)
        }
        for sender in old {
            Task { await sender.close(within: .seconds(60)) }
        }
        pump()
    }

    // MARK: Sending

    /// Gives the senders what may be sent now.
    func pump() {
        let (work, events) = state.withLock { state in
            let batches = state.core.dispatch(at: .now)
            let work = batches.map { batch in (sender(for: batch.tenant, &state), batch) }
            return (work, state.core.takeEvents())
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
