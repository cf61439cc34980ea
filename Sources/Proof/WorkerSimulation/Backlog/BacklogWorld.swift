import APNSModel
import APNSPayload
import MemoryQueue
import PushQueue
import WorkerCore

/// Several workers, the model of an engine and a gateway that fails for a while, on virtual time, under steady arrivals.
///
/// The decisions are those of `WorkerCore` and of the provider. Engine and network have no faults: `WorkerWorld` has these.
package struct BacklogWorld {
    private struct Worker {
        var core: WorkerCore
        let name: ConsumerName
        var sender: BacklogSender
        var reader = JobReader(
            defaults: EnvelopeDefaults(topic: WorkerWorld.topic, pushType: .alert), validates: false)

        mutating func take(_ jobs: [Job], at now: MonotonicTime) { core.take(jobs, with: &reader, at: now) }
    }

    private let plan: BacklogPlan
    private let lease: Duration
    private var random: SeededGenerator
    private var queue = QueueModel()
    private var workers: [Worker] = []
    private var gateway = BacklogGateway()
    /// In milliseconds since the start.
    private var time: Int64 = 0
    /// Whether each push is in the lane `high`.
    private var isHigh: [Bool] = []
    private var report = BacklogReport()
    /// What the rows so far have counted.
    private var counted = (accepted: 0, attempts: 0, connects: 0)

    /// As often as a worker looks for what is due, in milliseconds.
    private static let tick: Int64 = 50
    private static let promotion: Int64 = 500
    /// By the engine's clock.
    private static let beginning: Int64 = 1_700_000_000_000
    /// How long a run goes on at most once the gateway is back, and once nothing arrives any more.
    private static let longestDrain: Int64 = 4 * 3_600_000
    private static let longestEnd: Int64 = 3_600_000

    package init(_ plan: BacklogPlan) {
        self.plan = plan
        var settings = WorkerSettings()
        settings.rate = plan.capacity
        lease = settings.lease
        random = SeededGenerator(seed: plan.seed)
        queue.prepare(settings.lanes.names)
        for number in 1...max(1, plan.workers) {
            settings.seed = random.next()
            let tenant = TenantSettings(name: nil, host: "https://gateway", environment: "production")
            workers.append(
                Worker(
                    core: WorkerCore(settings, tenants: [tenant]), name: ConsumerName("worker-\(number)")!,
                    sender: BacklogSender(timeout: settings.timeout, seed: random.next())))
        }
    }

    private var now: MonotonicTime { MonotonicTime(nanoseconds: time * 1_000_000) }
    private var engineTime: Int64 { BacklogWorld.beginning + time }

    /// Runs until the backlog is gone, and then without arrivals until nothing is left.
    package mutating func run() -> BacklogReport {
        let row = 60_000 * Int64(max(1, plan.minutesPerRow))
        while report.drained == nil || time % row != 0, time < plan.recovery + BacklogWorld.longestDrain {
            step(isArriving: true)
            if time == plan.recovery { report.arrivedBeforeRecovery = isHigh.count }
            if time % row == 0 { addRow() }
            if report.drained == nil, time > plan.recovery, isBacklogGone { report.drained = time - plan.recovery }
        }
        let end = time + BacklogWorld.longestEnd
        while left > 0, time < end { step(isArriving: false) }
        finishReport()
        return report
    }

    private mutating func step(isArriving: Bool) {
        time += BacklogWorld.tick
        let isFailing = time > plan.failure && time <= plan.recovery
        gateway.fault = isFailing ? plan.fault : nil
        if isArriving { arrive() }
        for worker in workers.indices.shuffled(using: &random) { turn(worker) }
        guard time % BacklogWorld.promotion == 0 else { return }
        for _ in 0..<10 where queue.promote(limit: 200, at: engineTime) < 200 { break }
    }

    private mutating func arrive() {
        var jobs: [NewJob] = []
        while Int64(isHigh.count) < Int64(plan.arrivals) * time / 1000 {
            let token = BacklogGateway.token(isHigh.count)
            let body = Array(#"{"token":"\#(token)","payload":{"aps":{"alert":"Hi"}}}"#.utf8)
            let goesFirst = Int.random(in: 0..<100, using: &random) < plan.highPercent
            isHigh.append(goesFirst)
            gateway.expectPush()
            jobs.append(NewJob(JobContent(lane: goesFirst ? .high : .normal, body: body)))
        }
        // Without a limit for the backlog it takes all.
        _ = try? queue.enqueue(jobs, options: EnqueueOptions(), at: engineTime)
    }

    // MARK: One worker

    private mutating func turn(_ worker: Int) {
        let extending = workers[worker].core.leasesToExtend(at: now)
        if !extending.isEmpty {
            let lost = queue.extend(extending, lease: lease, as: workers[worker].name, at: engineTime)
            workers[worker].core.extended(extending, lost: lost, start: now)
        }
        for finished in workers[worker].sender.turn(&gateway, at: time) {
            workers[worker].core.finish(finished, at: now)
        }
        reserve(worker)
        let rates = workers[worker].core.rateDemands(at: now)
        if !rates.isEmpty {
            let grants = queue.take(rates, at: engineTime)
            workers[worker].core.granted(rates, grants, at: now)
        }
        for dispatch in workers[worker].core.dispatch(at: now) {
            for push in dispatch.pushes { workers[worker].sender.submit(push, at: time) }
        }
        let settlements = workers[worker].core.takeSettlements(256, at: now)
        guard !settlements.isEmpty else { return }
        let results = queue.settle(settlements, resultsKept: 0, at: engineTime)
        workers[worker].core.settled(results)
    }

    private mutating func reserve(_ worker: Int) {
        let demands = workers[worker].core.demands(at: now)
        guard !demands.isEmpty else { return }
        let reservation = queue.reserve(demands, lease: lease, as: workers[worker].name, at: engineTime)
        workers[worker].core.reserved(reservation, asked: demands, at: now)
        workers[worker].take(reservation.jobs, at: now)
    }

    // MARK: The report

    /// Jobs in the engine, and in the workers.
    private var left: Int {
        let status = queue.status(at: engineTime)
        return status.backlog + status.pending + status.later + status.dead
            + workers.reduce(0) { $0 + $1.core.heldJobs }
    }

    private var isBacklogGone: Bool {
        isHigh.count - gateway.acceptedCount <= max(plan.arrivals, 10)
            && gateway.hasAccepted(first: report.arrivedBeforeRecovery)
    }

    private var connects: Int { workers.reduce(0) { $0 + $1.sender.connects } }

    private mutating func addRow() {
        // Each job has one push.
        let status = queue.status(at: engineTime)
        let total = (accepted: gateway.acceptedCount, attempts: gateway.attemptCount, connects: connects)
        report.rows.append(
            BacklogReport.Row(
                minute: Int(time / 60_000), isFailing: gateway.fault != nil,
                ready: status.backlog + workers.reduce(0) { $0 + $1.core.waiting }, later: status.later,
                inFlight: workers.reduce(0) { $0 + $1.core.inFlight }, accepted: total.accepted - counted.accepted,
                attempts: total.attempts - counted.attempts, connects: total.connects - counted.connects))
        counted = total
    }

    private mutating func finishReport() {
        report.arrived = isHigh.count
        report.lastHigh = lastAccepted { $0 }
        report.lastNormal = lastAccepted { !$0 }
        report.attempts = gateway.attemptCount
        report.mostAttempts = gateway.attempts.max() ?? 0
        report.connects = connects
        report.lost = gateway.accepted.count { $0 == nil }
        report.doubles = gateway.doubles
        report.left = left
    }

    /// How long after the recovery the last push was accepted of those that arrived before it.
    ///
    /// - Parameter isMeant: Whether a push of the lane `high` counts, or one that is not of it.
    /// - Returns: Nil where one was not accepted.
    private func lastAccepted(_ isMeant: (Bool) -> Bool) -> Int64? {
        var last: Int64 = plan.recovery
        for number in 0..<report.arrivedBeforeRecovery where isMeant(isHigh[number]) {
            guard let accepted = gateway.accepted[number] else { return nil }
            last = max(last, accepted)
        }
        return last - plan.recovery
    }
}
