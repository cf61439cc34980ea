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
    /// What is with a sender, with the time of its outcome.
    struct Sent {
        let push: OutgoingPush
        let tenant: Int
        let outcome: APNSOutcome
        let at: Int64
        /// How often the worker had read its credentials again.
        let reloads: Int
    }

    struct Worker {
        var core: WorkerCore
        let name: ConsumerName
        var sent: [Sent] = []
        /// The calls of the engine that have no answer yet.
        var calls: [EngineCall] = []
        var isStopping = false
        /// Until then it does nothing, as a process under SIGSTOP.
        var asleepUntil: Int64 = 0
        var needsReclaim = false
        let clockOffset: Int64
        /// How often it has read its credentials again.
        var reloads = 0
        /// What it must not send now.
        var pauses = PauseAudit()
    }

    var random: SeededGenerator
    var queue = QueueModel()
    var workers: [Worker] = []
    private(set) var time = WorkerWorld.beginning
    private var names = 0
    /// How often each push was accepted.
    private var accepted: [String: Int] = [:]
    private var enqueued: [String] = []
    /// When a push may be sent again after a refusal.
    private var resting: [String: Int64] = [:]
    /// The `apns-id` of each push that was sent.
    private var ids: [String: NotificationID] = [:]
    /// How often each push failed by the connection or the credentials.
    private var failures: [String: Int] = [:]
    /// What was wrong first.
    private var violation: String?
    /// The pushes of tenants that can connect that the gateway has not decided on for good.
    private var undecided: Set<String> = []
    private let hasHardFaults: Bool
    let isEngineSlow: Bool
    let lease = Duration.seconds(20)
    /// Until then credentials are refused, and the host cannot be reached.
    private var refusedUntil: Int64 = 0
    private var unreachableUntil: Int64 = 0
    /// Whether the tenant gamma can open a connection, and no push is refused for itself.
    private var connectsAll = false

    private static let firstRetry = Duration.seconds(3)
    /// Pushes that a tenant's sender has at a time.
    private static let inFlight = 15
    private static let beginning: Int64 = 1_700_000_000_000
    static let topic = Topic("com.example.agent")!
    private static let gamma = 2
    /// After so many failures a worker may know that a push fails by its own fault.
    private static let knownFailures = 2
    private static let certificateRefused: APNSOutcome = {
        var error = APNSSendError(.connectionFailed, "the gateway refused the certificate", isSafeToRetry: true)
        error.isCertificateRefused = true
        return .unsent(error)
    }()

    private static func envelope(_ token: String) -> String {
        #"{"token":"\#(token)","payload":{"aps":{"alert":"Hi"}}}"#
    }

    /// - Parameters:
    ///   - hasHardFaults: Whether workers are killed, and stopped for longer than a lease.
    ///   - isEngineSlow: Whether calls of the engine take seconds.
    package init(seed: UInt64, hasHardFaults: Bool, isEngineSlow: Bool = false) {
        random = SeededGenerator(seed: seed)
        self.hasHardFaults = hasHardFaults
        self.isEngineSlow = isEngineSlow
        queue.prepare(LaneWeights.standard.names)
        for _ in 0..<3 { start() }
    }

    mutating func chance(_ part: Double) -> Bool { Double.random(in: 0..<1, using: &random) < part }

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
            TenantSettings(name: "gamma", host: "a", environment: "sandbox"),
        ]
        workers.append(
            Worker(
                core: WorkerCore(settings, tenants: tenants), name: ConsumerName("worker-\(names)")!,
                // Their clocks began at other times.
                clockOffset: Int64.random(in: 0...1_000_000, using: &random)))
    }

    func now(_ worker: Int) -> MonotonicTime {
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
        // No more faults, but one tenant still cannot connect: it must not keep the others from sending.
        for worker in workers.indices { workers[worker].asleepUntil = 0 }
        for _ in 0..<8000 where !undecided.isEmpty { step(hasFaults: false) }
        guard undecided.isEmpty else {
            return violation ?? "\(undecided.count) pushes wait while another tenant or single pushes fail"
        }
        // Everything has to come to its end.
        connectsAll = true
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
        let tenant: String? = chance(0.3) ? "beta" : chance(0.15) ? "gamma" : nil
        let lines = (0..<Int.random(in: 1...5, using: &random)).map { _ in
            let token = String(enqueued.count + 0x1000, radix: 16)
            enqueued.append(token)
            if tenant != "gamma", WorkerWorld.ownFault(token) == nil { undecided.insert(token) }
            return WorkerWorld.envelope(token)
        }
        let content = JobContent(lane: lane, tenant: tenant, body: Array(lines.joined(separator: "\n").utf8))
        let due: DueTime? = chance(0.1) ? .after(.seconds(5)) : nil
        _ = try? queue.enqueue([NewJob(content, due: due)], options: EnqueueOptions(), at: time)
    }

    private mutating func step(hasFaults: Bool) {
        time += Int64.random(in: 20...(hasFaults ? 400 : 1000), using: &random)
        if hasFaults {
            if chance(0.01) { refusedUntil = time + 20_000 }
            if chance(0.01) { unreachableUntil = time + 5_000 }
            if chance(0.02) { replace() }
            if chance(0.02) { reload() }
            if hasHardFaults { breakSomething() }
        } else {
            (refusedUntil, unreachableUntil) = (0, 0)
        }
        for worker in workers.indices.shuffled(using: &random) where workers[worker].asleepUntil <= time {
            turn(worker, hasFaults: hasFaults)
        }
        workers.removeAll { $0.isStopping && $0.core.isIdle && $0.calls.isEmpty }
        while workers.count < 3 { start() }
    }

    /// A worker is stopped in order; another one will start.
    private mutating func replace() {
        guard let worker = workers.indices.randomElement(using: &random), !workers[worker].isStopping,
            workers[worker].asleepUntil <= time
        else { return }
        workers[worker].isStopping = true
        handBack(worker)
    }

    /// A worker reads its credentials again.
    private mutating func reload() {
        guard let worker = workers.indices.randomElement(using: &random), workers[worker].asleepUntil <= time else {
            return
        }
        workers[worker].core.credentialsChanged(at: now(worker))
        workers[worker].pauses.credentialsChanged(at: time)
        workers[worker].reloads += 1
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
        takeAnswers(worker)
        if !isCalling(.extend, worker) {
            let extending = workers[worker].core.leasesToExtend(at: now(worker))
            if !extending.isEmpty { call(.extend(extending), worker, hasFaults: hasFaults) }
        }
        outcomes(worker)
        // As a worker does, also before more is reserved.
        send(worker)
        if !isCalling(.reserve, worker) { reserve(worker, hasFaults: hasFaults) }
        send(worker)
        _ = queue.promote(limit: 10, at: time)
        guard !isCalling(.settle, worker) else { return }
        let settlements = workers[worker].core.takeSettlements(8, at: now(worker))
        if !settlements.isEmpty { call(.settle(settlements), worker, hasFaults: hasFaults) }
    }

    private mutating func send(_ worker: Int) {
        for dispatch in workers[worker].core.dispatch(at: now(worker)) {
            for push in dispatch.pushes { send(push, of: dispatch.tenant, worker) }
        }
    }

    private mutating func reserve(_ worker: Int, hasFaults: Bool) {
        if workers[worker].needsReclaim {
            if hasFaults, chance(0.05) { return }
            _ = queue.reclaim(except: workers[worker].core.heldIDs, as: workers[worker].name, at: time)
            workers[worker].needsReclaim = false
        }
        let demands = workers[worker].core.demands(at: now(worker))
        if !demands.isEmpty { call(.reserve(demands), worker, hasFaults: hasFaults) }
    }

    private mutating func outcomes(_ worker: Int) {
        let due = workers[worker].sent.filter { $0.at <= time }
        workers[worker].sent.removeAll { $0.at <= time }
        for sent in due {
            let (push, outcome) = (sent.push, sent.outcome)
            let followUp = OutcomeTable.followUp(of: outcome)
            let token = push.notification.deviceToken.hex
            if followUp == .later || followUp == .device {
                resting[token] = time + WorkerWorld.firstRetry.components.seconds * 1_000
            }
            workers[worker].core.finish(
                WorkerCore.Finished(
                    push.reference,
                    APNSSendResult(index: 0, notification: push.notification, outcome: outcome)), at: now(worker))
            // What was sent with former credentials says nothing about the new ones.
            if sent.reloads == workers[worker].reloads { audit(token, of: sent.tenant, followUp, worker) }
            if followUp == .connection || followUp == .credentials { failures[token, default: 0] += 1 }
        }
    }

    /// Notes what the worker must not send after an outcome.
    private mutating func audit(_ token: String, of tenant: Int, _ followUp: FollowUp, _ worker: Int) {
        let core = workers[worker].core
        var opened: PauseAudit.Opened?
        if failures[token, default: 0] >= WorkerWorld.knownFailures {
            let isOpen = core.breakers.contains { $0.isOpen }
            opened = PauseAudit.Opened(tenant: core.pauses[tenant].isPaused, host: isOpen)
        }
        workers[worker].pauses.finished(token, of: tenant, followUp, opened, at: time)
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
        if time < unreachableUntil || tenant == WorkerWorld.gamma && !connectsAll {
            outcome = .unsent(APNSSendError(.connectionFailed, "no connection could be opened", isSafeToRetry: true))
        } else if !connectsAll, let fault = WorkerWorld.ownFault(token) {
            outcome = fault
        } else if time < refusedUntil, chance(0.5) {
            outcome = chance(0.5) ? WorkerWorld.refused(.invalidProviderToken) : WorkerWorld.certificateRefused
        } else if chance(0.05) {
            outcome = WorkerWorld.refused(.serviceUnavailable)
        } else if chance(0.02) {
            outcome = WorkerWorld.refused(.tooManyRequests)
        } else if UInt64(token, radix: 16).map({ $0 % 29 == 0 }) == true {
            outcome = WorkerWorld.refused(.unregistered, timestamp: 1)
            undecided.remove(token)
        } else if UInt64(token, radix: 16).map({ $0 % 31 == 0 }) == true {
            outcome = WorkerWorld.refused(.payloadTooLarge)
            undecided.remove(token)
        } else if hasHardFaults, chance(0.02) {
            if chance(0.5) { accept(token) }
            outcome = .unknown(APNSSendError(.connectionLost, "the connection was lost", isSafeToRetry: false))
        } else {
            accept(token)
            outcome = .accepted(apnsID: push.notification.id!, uniqueID: nil)
        }
        let end = time + Int64.random(in: 10...2000, using: &random)
        workers[worker].sent.append(
            Sent(push: push, tenant: tenant, outcome: outcome, at: end, reloads: workers[worker].reloads))
    }

    /// What the gateway does with each push to one of a few device tokens, while the others get answers.
    private static func ownFault(_ token: String) -> APNSOutcome? {
        switch UInt64(token, radix: 16).map({ $0 % 200 }) {
        case 50?: .unsent(APNSSendError(.deadlineExceeded, "the gateway refuses the stream", isSafeToRetry: true))
        case 90?: refused(.invalidProviderToken)
        default: nil
        }
    }

    private mutating func accept(_ token: String) {
        accepted[token, default: 0] += 1
        undecided.remove(token)
    }

    private static func refused(_ reason: Reason, timestamp: Int64? = nil) -> APNSOutcome {
        .refused(Refusal(reason, apnsID: nil, timestamp: timestamp, retryAfter: nil))
    }
}
