package import PushQueue
import Synchronization

/// A queue in memory, for tests and simulations: `QueueModel` behind a lock, with faults on demand.
package final class MemoryQueue: JobQueue {
    package enum Call: Hashable, Sendable, CaseIterable {
        case prepare, reserve, announce, extend, settle, release, reclaim, wait, enqueue, promote, take, list, change,
            status, remove
    }

    package enum Fault: Hashable, Sendable {
        /// The connection is lost before the engine gets the call.
        case loseCall
        /// The engine carries out the call, and its answer is lost.
        case loseAnswer
        /// The engine carries out the call twice, as where a client or a proxy repeats it, and the second answer comes.
        case twice
        case fail(QueueError)
        /// The answer comes when this much time of the clock has passed.
        case delay(Duration)
    }

    private struct State {
        var model = QueueModel()
        var faults: [Call: [Fault]] = [:]
        var calls: [Call: Int] = [:]
        var waiters: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var lastWaiter: UInt64 = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Int64
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - now: The engine's clock, in milliseconds since 1970.
    ///   - sleep: Waits on the same clock.
    package init(
        now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    // MARK: Faults

    /// The next calls of this kind meet these faults, one each.
    package func inject(_ faults: [Fault], into call: Call) {
        state.withLock { $0.faults[call, default: []] += faults }
    }

    /// The contents. Setting an earlier value simulates an engine that lost its last writes.
    package var model: QueueModel {
        get { state.withLock { $0.model } }
        set { state.withLock { $0.model = newValue } }
    }

    package func count(of call: Call) -> Int { state.withLock { $0.calls[call] ?? 0 } }

    private func perform<Value: Sendable>(
        _ call: Call, _ body: @Sendable (inout QueueModel, Int64) throws(QueueError) -> Value
    ) async throws(QueueError) -> Value {
        let fault = try next(call)
        if case .fail(let error) = fault { throw error }
        if case .loseCall = fault { throw MemoryQueue.lost(mayBeDone: false) }
        if case .delay(let duration) = fault {
            do {
                try await sleep(duration)
            } catch {
                throw QueueError(.cancelled, "the call was cancelled while it waited", isTemporary: false)
            }
        }
        let now = now()
        var result = carryOut(at: now, body)
        if case .twice = fault { result = carryOut(at: now, body) }
        for waiter in state.withLock({ Array($0.waiters.values) }) { waiter.yield() }
        if case .loseAnswer = fault { throw MemoryQueue.lost(mayBeDone: true) }
        return try result.get()
    }

    private func carryOut<Value: Sendable>(
        at now: Int64, _ body: @Sendable (inout QueueModel, Int64) throws(QueueError) -> Value
    ) -> Result<Value, QueueError> {
        state.withLock { state in Result { () throws(QueueError) in try body(&state.model, now) } }
    }

    private func next(_ call: Call) throws(QueueError) -> Fault? {
        let (isClosed, fault) = state.withLock { state -> (Bool, Fault?) in
            state.calls[call, default: 0] += 1
            guard let faults = state.faults[call], !faults.isEmpty else { return (state.isClosed, nil) }
            return (state.isClosed, state.faults[call]?.removeFirst())
        }
        guard !isClosed else { throw QueueError(.closed, "the queue is closed", isTemporary: false) }
        return fault
    }

    private static func lost(mayBeDone: Bool) -> QueueError {
        QueueError(
            .connectionLost, "the connection to the engine was lost", isTemporary: true, mayBeDone: mayBeDone)
    }

    // MARK: JobQueue

    package func prepare(_ lanes: [LaneName]) async throws(QueueError) {
        try await perform(.prepare) { model, _ in model.prepare(lanes) }
    }

    package func reserve(
        _ demands: [LaneDemand], lease: Duration, as consumer: ConsumerName
    ) async throws(QueueError) -> Reservation {
        try await perform(.reserve) { $0.reserve(demands, lease: lease, as: consumer, at: $1) }
    }

    package func announce(_ lanes: [LaneName], as consumer: ConsumerName) async throws(QueueError) {
        try await perform(.announce) { $0.announce(lanes, as: consumer, at: $1) }
    }

    package func extend(
        _ jobs: [JobID], lease: Duration, as consumer: ConsumerName
    ) async throws(QueueError) -> [JobID] {
        try await perform(.extend) { $0.extend(jobs, lease: lease, as: consumer, at: $1) }
    }

    package func settle(
        _ settlements: [Settlement], resultsKept: Int
    ) async throws(QueueError) -> [SettlementResult] {
        try await perform(.settle) { $0.settle(settlements, resultsKept: resultsKept, at: $1) }
    }

    package func release(_ jobs: [JobID], as consumer: ConsumerName) async throws(QueueError) {
        try await perform(.release) { $0.release(jobs, as: consumer, at: $1) }
    }

    package func reclaim(except held: Set<JobID>, as consumer: ConsumerName) async throws(QueueError) -> Int {
        try await perform(.reclaim) { $0.reclaim(except: held, as: consumer, at: $1) }
    }

    package func waitForJobs(in lanes: [LaneName], atMost limit: Duration) async throws(QueueError) {
        let fault = try next(.wait)
        if case .fail(let error) = fault { throw error }
        if fault == .loseCall || fault == .loseAnswer { throw MemoryQueue.lost(mayBeDone: false) }
        let (wakes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastWaiter += 1
            state.waiters[state.lastWaiter] = continuation
            if lanes.contains(where: { (state.model.lanes[$0]?.backlog ?? 0) > 0 }) { continuation.yield() }
            if state.isClosed { continuation.finish() }
            return state.lastWaiter
        }
        defer { state.withLock { _ = $0.waiters.removeValue(forKey: number) } }
        let sleep = sleep
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in wakes { return } }
            group.addTask { try? await sleep(limit) }
            await group.next()
            group.cancelAll()
        }
        if Task.isCancelled { throw QueueError(.cancelled, "the wait was cancelled", isTemporary: false) }
    }

    package func enqueue(_ jobs: [NewJob], options: EnqueueOptions) async throws(QueueError) -> EnqueueResult {
        try await perform(.enqueue) { model, now throws(QueueError) in
            try model.enqueue(jobs, options: options, at: now)
        }
    }

    package func promote(limit: Int) async throws(QueueError) -> Int {
        try await perform(.promote) { $0.promote(limit: limit, at: $1) }
    }

    package func take(_ demands: [RateDemand]) async throws(QueueError) -> [RateGrant] {
        try await perform(.take) { $0.take(demands, at: $1) }
    }

    package func list(
        _ place: KeptPlace, from page: String?, limit: Int
    ) async throws(QueueError) -> QueuePage<KeptJob> {
        try await perform(.list) { model, _ in model.list(place, from: page, limit: limit) }
    }

    package func feedback(from page: String?, limit: Int) async throws(QueueError) -> QueuePage<FeedbackLine> {
        try await perform(.list) { model, _ in model.feedback(from: page, limit: limit) }
    }

    package func retry(_ place: KeptPlace, _ ids: [String]) async throws(QueueError) -> Int {
        try await perform(.change) { $0.retry(place, ids, at: $1) }
    }

    package func drop(_ place: KeptPlace, _ ids: [String]) async throws(QueueError) -> Int {
        try await perform(.change) { model, _ in model.drop(place, ids) }
    }

    package func dropFeedback(_ ids: [String]) async throws(QueueError) -> Int {
        try await perform(.change) { model, _ in model.dropFeedback(ids) }
    }

    package func status() async throws(QueueError) -> QueueStatus {
        try await perform(.status) { $0.status(at: $1) }
    }

    package func remove(_ consumer: ConsumerName) async throws(QueueError) -> Bool {
        try await perform(.remove) { model, _ in model.remove(consumer) }
    }

    package func close() async {
        for waiter in state.withLock({ state in
            state.isClosed = true
            return Array(state.waiters.values)
        }) { waiter.finish() }
    }
}
