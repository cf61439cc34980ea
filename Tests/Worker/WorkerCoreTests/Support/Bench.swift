import APNSModel
import APNSPayload
import APNSProvider
import MemoryQueue
import PushQueue

@testable import WorkerCore

/// A core with the model of an engine, on virtual time. The test is the sender.
struct Bench {
    var core: WorkerCore
    var queue = QueueModel()
    var now = MonotonicTime(nanoseconds: 5_000_000_000)
    /// The engine's clock is another one.
    var time: Int64 = 1_700_000_000_000
    let name: ConsumerName
    let lease: Duration

    static let topic = Topic("com.example.agent")!

    init(
        _ settings: WorkerSettings = WorkerSettings(), tenants: [TenantSettings] = [Bench.tenant(nil)],
        name: String = "worker-a"
    ) {
        core = WorkerCore(settings, tenants: tenants)
        lease = settings.lease
        self.name = ConsumerName(name)!
        queue.prepare(settings.lanes.names)
    }

    static func tenant(
        _ name: String?, host: String = "https://a.example", connecting: String = "", rate: Int? = nil
    ) -> TenantSettings {
        TenantSettings(name: name, host: host, connecting: connecting, environment: "sandbox", rate: rate)
    }

    static func envelope(_ token: String, _ more: String = "") -> String {
        #"{"token":"\#(token)"\#(more),"payload":{"aps":{"alert":"Hi"}}}"#
    }

    mutating func pass(_ duration: Duration) {
        now = now + duration
        time += QueueModel.milliseconds(duration)
    }

    mutating func enqueue(
        _ lines: [String], lane: LaneName = .normal, tenant: String? = nil, attempt: Int = 0
    ) throws {
        let content = JobContent(
            lane: lane, tenant: tenant, attempt: attempt, body: Array(lines.joined(separator: "\n").utf8))
        _ = try queue.enqueue([NewJob(content)], options: EnqueueOptions(), at: time)
    }

    /// Reserves what the core asks for.
    ///
    /// - Parameters:
    ///   - wait: How long the answer of the engine takes.
    ///   - stops: Whether the worker is told to stop meanwhile.
    /// - Returns: How many jobs came.
    @discardableResult
    mutating func reserve(waiting wait: Duration = .zero, stops: Bool = false) -> Int {
        let demands = core.demands(at: now)
        guard !demands.isEmpty else { return 0 }
        let start = now
        let reservation = queue.reserve(demands, lease: lease, as: name, at: time)
        pass(wait)
        if stops { _ = core.drain(at: now) }
        core.reserved(reservation, asked: demands, since: start, at: now)
        var reader = JobReader(defaults: EnvelopeDefaults(topic: Bench.topic, pushType: .alert), validates: true)
        core.take(reservation.jobs, with: &reader, at: now)
        return reservation.jobs.count
    }

    mutating func dispatch() -> [OutgoingPush] { core.dispatch(at: now).flatMap(\.pushes) }

    /// What is sent after everything was reserved.
    mutating func send() -> [OutgoingPush] {
        while reserve() > 0 {}
        return dispatch()
    }

    /// - Parameters:
    ///   - duration: How long the push was with the sender.
    ///   - attempts: How often it was written to a connection.
    mutating func finish(
        _ push: OutgoingPush, _ outcome: APNSOutcome, after duration: Duration = .zero, attempts: Int = 1
    ) {
        let result = APNSSendResult(
            index: 0, notification: push.notification, outcome: outcome, attempts: attempts, duration: duration)
        core.finish(WorkerCore.Finished(push.reference, result), at: now)
    }

    mutating func finish(_ pushes: [OutgoingPush], _ outcome: (OutgoingPush) -> APNSOutcome) {
        for push in pushes { finish(push, outcome(push)) }
    }

    @discardableResult
    mutating func settle() -> [SettlementResult] {
        let settlements = core.takeSettlements(1000, at: now)
        let results = queue.settle(settlements, resultsKept: 1000, at: time)
        core.settled(results)
        return results
    }

    var dead: [KeptJob] { queue.list(.dead, from: nil, limit: 1000).elements }
    var later: [KeptJob] { queue.list(.later, from: nil, limit: 1000).elements }
    var feedback: [String] { queue.feedback(from: nil, limit: 1000).elements.map(\.line) }
    var status: QueueStatus { queue.status(at: time) }
}

extension OutgoingPush {
    var token: String { notification.deviceToken.hex }
    var accepted: APNSOutcome { .accepted(apnsID: notification.id!, uniqueID: nil) }
}

extension APNSOutcome {
    static func refused(_ reason: Reason, timestamp: Int64? = nil, retryAfter: Duration? = nil) -> APNSOutcome {
        .refused(Refusal(reason, apnsID: nil, timestamp: timestamp, retryAfter: retryAfter))
    }

    static let unreachable = APNSOutcome.unsent(
        APNSSendError(.connectionFailed, "no connection could be opened", isSafeToRetry: true))
    static let certificateRefused: APNSOutcome = {
        var error = APNSSendError(.connectionFailed, "the gateway refused the certificate", isSafeToRetry: true)
        error.isCertificateRefused = true
        return .unsent(error)
    }()
    /// It waited in the sender for a stream.
    static let waitedInVain = APNSOutcome.unsent(
        APNSSendError(.deadlineExceeded, "the deadline passed before a stream was free", isSafeToRetry: true))
    static let lost = APNSOutcome.unknown(
        APNSSendError(.connectionLost, "the connection was lost", isSafeToRetry: false))
}
