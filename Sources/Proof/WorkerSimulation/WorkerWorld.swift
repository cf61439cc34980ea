import APNSModel
import APNSPayload
import APNSProvider
import MemoryQueue
import PushQueue
import WorkerCore

/// Several workers, the model of an engine and a gateway on virtual time, with faults from a seed.
///
/// Each push has a device token of its own, by which the world knows how often it was accepted and where it ended.
package struct WorkerWorld {
    private struct Worker {
        var core: WorkerCore
        let name: ConsumerName
        /// What is with its sender, with the time of the outcome.
        var sent: [(push: OutgoingPush, tenant: Int, outcome: APNSOutcome, at: Int64)] = []
        var isStopping = false
        /// Until then it does nothing, as a process under SIGSTOP.
        var asleepUntil: Int64 = 0
        var needsReclaim = false
        let clockOffset: Int64
        /// What it must not send now.
        var pauses = PauseAudit()
    }

    private var random: SeededGenerator
    private var queue = QueueModel()
    private var workers: [Worker] = []
    private var time = WorkerWorld.beginning
    private var names = 0
    /// How often each push was accepted.
    private var accepted: [String: Int] = [:]
    private var enqueued: [String] = []
    /// When a push may be sent again after a refusal.
    private var resting: [String: Int64] = [:]
    /// The `apns-id` of each push that was sent.
    private var ids: [String: NotificationID] = [:]
    /// What was wrong first.
    private var violation: String?
    private let hasHardFaults: Bool
    private let lease = Duration.seconds(20)
    /// Until then credentials of the tenant beta are refused, and the host cannot be reached.
    private var refusedUntil: Int64 = 0
    private var unreachableUntil: Int64 = 0

    private static let firstRetry = Duration.seconds(3)
    /// Pushes that a tenant's sender has at a time.
    private static let inFlight = 15
    private static let beginning: Int64 = 1_700_000_000_000
    private static let topic = Topic("com.example.agent")!

    private static func envelope(_ token: String) -> String {
        #"{"token":"\#(token)","payload":{"aps":{"alert":"Hi"}}}"#
    }

    /// - Parameter hasHardFaults: Whether workers are killed, and stopped for longer than a lease.
    package init(seed: UInt64, hasHardFaults: Bool) {
        random = SeededGenerator(seed: seed)
        self.hasHardFaults = hasHardFaults
        queue.prepare(LaneWeights.standard.names)
        for _ in 0..<3 { start() }
    }

    private mutating func chance(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &random) < part }

    private mutating func start() {
        names += 1
        var settings = WorkerSettings()
        settings.window = 40
        settings.inFlight = WorkerWorld.inFlight
        settings.lease = lease
        settings.seed = random.next()
        settings.collapses = false
        settings.attempts = 1000
        settings.maximumDeliveries = 1000
        settings.ladder = RetryLadder(steps: [WorkerWorld.firstRetry, .seconds(10)])
        let tenants = [
            TenantSettings(name: nil, host: "a", environment: "sandbox"),
            TenantSettings(name: "beta", host: "a", environment: "sandbox"),
        ]
        workers.append(
            Worker(
                core: WorkerCore(settings, tenants: tenants), name: ConsumerName("worker-\(names)")!,
                // Their clocks began at other times.
                clockOffset: Int64.random(in: 0...1_000_000, using: &random)))
    }

    private func now(_ worker: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: (time - WorkerWorld.beginning + workers[worker].clockOffset) * 1_000_000)
    }

    // MARK: One seed

    /// Runs the seed.
    ///
    /// - Returns: What is wrong; nil where everything holds.
    package mutating func run() -> String? {
        for _ in 0..<400 {
            step(hasFaults: true)
            if chance(0.3), enqueued.count < 300 { enqueue() }
        }
        // No more faults: everything has to come to its end.
        for worker in workers.indices { workers[worker].asleepUntil = 0 }
        for _ in 0..<4000 {
            step(hasFaults: false)
            let status = queue.status(at: time)
            if status.backlog + status.pending + status.later == 0, workers.allSatisfy({ $0.core.isIdle }) { break }
        }
        return check()
    }

    private func check() -> String? {
        if let violation { return violation }
        let status = queue.status(at: time)
        guard status.backlog + status.pending + status.later == 0 else {
            return "\(status.backlog) jobs wait, \(status.pending) are pending, \(status.later) are for later"
        }
        var places: [String: Int] = [:]
        for dead in queue.list(.dead, from: nil, limit: 10_000).elements {
            for range in JobReader.lineRanges(dead.content.body) {
                places[String(decoding: dead.content.body[range], as: UTF8.self), default: 0] += 1
            }
        }
        for line in queue.feedback(from: nil, limit: 10_000).elements {
            let token = line.line.split(separator: "\"")[3]
            places[WorkerWorld.envelope(String(token)), default: 0] += 1
        }
        var doubles = 0
        for token in enqueued {
            let count = accepted[token] ?? 0
            doubles += max(0, count - 1)
            let place = places[WorkerWorld.envelope(token)] ?? 0
            if count == 0, place == 0 { return "the push \(token) is lost" }
            if place > 1 || place == 1 && count > 0 {
                return "the push \(token) has \(place) ends, and was accepted \(count) times"
            }
        }
        for worker in workers where worker.core.waiting != 0 || worker.core.inFlight != 0 {
            return "\(worker.name) counts \(worker.core.waiting) waiting and \(worker.core.inFlight) in flight"
        }
        if !hasHardFaults, doubles > 0 { return "\(doubles) pushes are double, and there was no hard fault" }
        return nil
    }

    private mutating func enqueue() {
        let lane = LaneWeights.standard.names.randomElement(using: &random) ?? .normal
        let lines = (0..<Int.random(in: 1...5, using: &random)).map { _ in
            let token = String(enqueued.count + 0x1000, radix: 16)
            enqueued.append(token)
            return WorkerWorld.envelope(token)
        }
        let content = JobContent(
            lane: lane, tenant: chance(0.3) ? "beta" : nil, body: Array(lines.joined(separator: "\n").utf8))
        let due: DueTime? = chance(0.1) ? .after(.seconds(5)) : nil
        _ = try? queue.enqueue([NewJob(content, due: due)], options: EnqueueOptions(), at: time)
    }

    private mutating func step(hasFaults: Bool) {
        time += Int64.random(in: 20...(hasFaults ? 400 : 1000), using: &random)
        if hasFaults {
            if chance(0.01) { refusedUntil = time + 20_000 }
            if chance(0.01) { unreachableUntil = time + 5_000 }
            if chance(0.02) { replace() }
            if hasHardFaults { breakSomething() }
        } else {
            (refusedUntil, unreachableUntil) = (0, 0)
        }
        for worker in workers.indices.shuffled(using: &random) where workers[worker].asleepUntil <= time {
            turn(worker, hasFaults: hasFaults)
        }
        workers.removeAll { $0.isStopping && $0.core.isIdle }
        while workers.count < 3 { start() }
    }

    /// A worker is stopped in order; another one will start.
    private mutating func replace() {
        guard let worker = workers.indices.randomElement(using: &random), !workers[worker].isStopping,
            workers[worker].asleepUntil <= time
        else { return }
        workers[worker].isStopping = true
        let released = workers[worker].core.drain(at: now(worker))
        queue.release(released, as: workers[worker].name, at: time)
    }

    private mutating func breakSomething() {
        guard let worker = workers.indices.randomElement(using: &random) else { return }
        if chance(0.01) {
            workers.remove(at: worker)
        } else if chance(0.01) {
            workers[worker].asleepUntil = time + 30_000
        }
    }

    // MARK: One worker

    private mutating func turn(_ worker: Int, hasFaults: Bool) {
        let name = workers[worker].name
        // A call or its answer is lost.
        func isLost(_ world: inout WorkerWorld) -> (call: Bool, answer: Bool) {
            guard hasFaults else { return (false, false) }
            return (world.chance(0.05), world.chance(0.05))
        }
        let extending = workers[worker].core.leasesToExtend(at: now(worker))
        if !extending.isEmpty, !isLost(&self).call {
            let lost = queue.extend(extending, lease: lease, as: name, at: time)
            workers[worker].core.extended(extending, lost: lost, start: now(worker))
        }
        outcomes(worker)
        reserve(worker, isLost(&self))
        for dispatch in workers[worker].core.dispatch(at: now(worker)) {
            for push in dispatch.pushes { send(push, of: dispatch.tenant, worker) }
        }
        _ = queue.promote(limit: 10, at: time)
        let settlements = workers[worker].core.takeSettlements(8, at: now(worker))
        guard !settlements.isEmpty else { return }
        let fault = isLost(&self)
        let isRefused = chance(0.5)
        guard !fault.call else { return workers[worker].core.settlingFailed(isRefused: isRefused) }
        let results = queue.settle(settlements, resultsKept: 0, at: time)
        if fault.answer { workers[worker].core.settlingFailed() } else { workers[worker].core.settled(results) }
    }

    private mutating func reserve(_ worker: Int, _ fault: (call: Bool, answer: Bool)) {
        let name = workers[worker].name
        if workers[worker].needsReclaim, !fault.call {
            _ = queue.reclaim(except: workers[worker].core.heldIDs, as: name, at: time)
            workers[worker].needsReclaim = false
        }
        let demands = workers[worker].core.demands(at: now(worker))
        guard !demands.isEmpty, !fault.call else { return }
        let reservation = queue.reserve(demands, lease: lease, as: name, at: time)
        guard !fault.answer else {
            workers[worker].needsReclaim = true
            return
        }
        workers[worker].core.reserved(reservation, asked: demands, at: now(worker))
        for job in reservation.jobs { admit(job, worker) }
    }

    private mutating func admit(_ job: Job, _ worker: Int) {
        let ranges = JobReader.lineRanges(job.content.body)
        let admission = workers[worker].core.admit(job, lines: ranges.count, at: now(worker))
        guard case .read(let tenant) = admission else { return }
        var reader = JobReader(defaults: EnvelopeDefaults(topic: WorkerWorld.topic, pushType: .alert), validates: false)
        let (context, derived) = (JobContext(job.content.context), DerivedID(job.id))
        let lines = ranges.enumerated().map { number, range in
            reader.read(job.content.body, range, number: number, id: context.id(of: number, or: derived))
        }
        workers[worker].core.take(job, tenant: tenant, ranges: ranges, lines: lines, at: now(worker))
    }

    private mutating func outcomes(_ worker: Int) {
        let due = workers[worker].sent.filter { $0.at <= time }
        workers[worker].sent.removeAll { $0.at <= time }
        for (push, tenant, outcome, _) in due {
            let followUp = OutcomeTable.followUp(of: outcome)
            workers[worker].pauses.finished(push.notification.deviceToken.hex, of: tenant, followUp, at: time)
            if followUp == .later || followUp == .device {
                resting[push.notification.deviceToken.hex] = time + WorkerWorld.firstRetry.components.seconds * 1_000
            }
            workers[worker].core.finish(
                WorkerCore.Finished(
                    push.reference,
                    APNSSendResult(index: 0, notification: push.notification, outcome: outcome)), at: now(worker))
        }
    }

    /// Whether a worker may send a push now.
    private mutating func checkSending(_ token: String, of tenant: Int, _ worker: Int) {
        let name = workers[worker].name
        func found(_ what: String) { if violation == nil { violation = "\(name) sends the push \(token) \(what)" } }
        // A worker whose lease has ended may have sent what another one sends now.
        if !hasHardFaults, let until = resting[token], time < until { found("before its wait is over") }
        if let what = workers[worker].pauses.sent(token, of: tenant, at: time) { found(what) }
        if workers[worker].sent.count(where: { $0.tenant == tenant }) >= WorkerWorld.inFlight {
            found("although the sender of its tenant is full")
        }
    }

    /// The gateway decides at once; the outcome comes later.
    private mutating func send(_ push: OutgoingPush, of tenant: Int, _ worker: Int) {
        let outcome: APNSOutcome
        let token = push.notification.deviceToken.hex
        checkSending(token, of: tenant, worker)
        let id = ids[token]
        if let id, id != push.notification.id, violation == nil {
            violation = "the push \(token) is sent with another apns-id than before"
        }
        ids[token] = push.notification.id
        if time < unreachableUntil {
            outcome = .unsent(APNSSendError(.connectionFailed, "no connection could be opened", isSafeToRetry: true))
        } else if time < refusedUntil, chance(0.5) {
            outcome = WorkerWorld.refused(.invalidProviderToken)
        } else if chance(0.05) {
            outcome = WorkerWorld.refused(.serviceUnavailable)
        } else if chance(0.02) {
            outcome = WorkerWorld.refused(.tooManyRequests)
        } else if UInt64(token, radix: 16).map({ $0 % 29 == 0 }) == true {
            outcome = WorkerWorld.refused(.unregistered, timestamp: 1)
        } else if UInt64(token, radix: 16).map({ $0 % 31 == 0 }) == true {
            outcome = WorkerWorld.refused(.payloadTooLarge)
        } else if hasHardFaults, chance(0.02) {
            if chance(0.5) { accepted[token, default: 0] += 1 }
            outcome = .unknown(APNSSendError(.connectionLost, "the connection was lost", isSafeToRetry: false))
        } else {
            accepted[token, default: 0] += 1
            outcome = .accepted(apnsID: push.notification.id!, uniqueID: nil)
        }
        workers[worker].sent.append((push, tenant, outcome, time + Int64.random(in: 10...2000, using: &random)))
    }

    private static func refused(_ reason: Reason, timestamp: Int64? = nil) -> APNSOutcome {
        .refused(Refusal(reason, apnsID: nil, timestamp: timestamp, retryAfter: nil))
    }
}
