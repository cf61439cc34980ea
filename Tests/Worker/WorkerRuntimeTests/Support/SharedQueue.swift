import MemoryQueue
import PushQueue

/// A client of a queue that others use too: closing it leaves the queue open.
struct SharedQueue: JobQueue {
    let queue: MemoryQueue
    /// Changes what the status says.
    let change: @Sendable (inout QueueStatus) -> Void

    init(_ queue: MemoryQueue, change: @escaping @Sendable (inout QueueStatus) -> Void = { _ in }) {
        self.queue = queue
        self.change = change
    }

    func close() async {}

    func prepare(_ lanes: [LaneName]) async throws(QueueError) { try await queue.prepare(lanes) }

    func reserve(
        _ demands: [LaneDemand], lease: Duration, as consumer: ConsumerName
    ) async throws(QueueError) -> Reservation { try await queue.reserve(demands, lease: lease, as: consumer) }

    func announce(_ lanes: [LaneName], as consumer: ConsumerName) async throws(QueueError) {
        try await queue.announce(lanes, as: consumer)
    }

    func extend(_ jobs: [JobID], lease: Duration, as consumer: ConsumerName) async throws(QueueError) -> [JobID] {
        try await queue.extend(jobs, lease: lease, as: consumer)
    }

    func settle(_ settlements: [Settlement], resultsKept: Int) async throws(QueueError) -> [SettlementResult] {
        try await queue.settle(settlements, resultsKept: resultsKept)
    }

    func release(_ jobs: [JobID], as consumer: ConsumerName) async throws(QueueError) {
        try await queue.release(jobs, as: consumer)
    }

    func reclaim(except held: Set<JobID>, as consumer: ConsumerName) async throws(QueueError) -> Int {
        try await queue.reclaim(except: held, as: consumer)
    }

    func waitForJobs(in lanes: [LaneName], atMost limit: Duration) async throws(QueueError) {
        try await queue.waitForJobs(in: lanes, atMost: limit)
    }

    func enqueue(_ jobs: [NewJob], options: EnqueueOptions) async throws(QueueError) -> EnqueueResult {
        try await queue.enqueue(jobs, options: options)
    }

    func promote(limit: Int) async throws(QueueError) -> Int { try await queue.promote(limit: limit) }

    func take(_ demands: [RateDemand]) async throws(QueueError) -> [RateGrant] { try await queue.take(demands) }

    func list(
        _ place: KeptPlace, from page: String?, limit: Int
    ) async throws(QueueError) -> QueuePage<KeptJob> { try await queue.list(place, from: page, limit: limit) }

    func feedback(from page: String?, limit: Int) async throws(QueueError) -> QueuePage<FeedbackLine> {
        try await queue.feedback(from: page, limit: limit)
    }

    func retry(_ place: KeptPlace, _ ids: [String]) async throws(QueueError) -> Int {
        try await queue.retry(place, ids)
    }

    func drop(_ place: KeptPlace, _ ids: [String]) async throws(QueueError) -> Int {
        try await queue.drop(place, ids)
    }

    func dropFeedback(_ ids: [String]) async throws(QueueError) -> Int { try await queue.dropFeedback(ids) }

    func status() async throws(QueueError) -> QueueStatus {
        var status = try await queue.status()
        change(&status)
        return status
    }

    func remove(_ consumer: ConsumerName) async throws(QueueError) -> Bool { try await queue.remove(consumer) }
}
