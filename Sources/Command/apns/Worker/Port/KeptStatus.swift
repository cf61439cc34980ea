import PushQueue

/// The status of a queue for scrapers and boards, however many there are and however often they ask.
///
/// It is asked for by one query at a time, and kept for ten times as long as the query took, at least for a second. So it
/// takes a tenth of one connection of the engine at most.
actor KeptStatus {
    private let now: @Sendable () -> ContinuousClock.Instant
    private let read: @Sendable () async -> QueueStatus?
    private var query: Task<QueueStatus?, Never>?
    private var kept: (status: QueueStatus?, until: ContinuousClock.Instant)?

    /// - Parameter read: Asks the engine; nil where it gives no answer.
    init(now: @escaping @Sendable () -> ContinuousClock.Instant, read: @escaping @Sendable () async -> QueueStatus?) {
        self.now = now
        self.read = read
    }

    var status: QueueStatus? {
        get async {
            if let kept, now() < kept.until { return kept.status }
            if let query { return await query.value }
            let query = Task { await ask() }
            self.query = query
            return await query.value
        }
    }

    private func ask() async -> QueueStatus? {
        let start = now()
        let status = await read()
        let end = now()
        // An engine that gave no answer may be back soon.
        let length = status == nil ? .seconds(1) : max(.seconds(1), start.duration(to: end) * 10)
        kept = (status, end + length)
        query = nil
        return status
    }
}
