/// The times and limits of a selective sync.
public struct SyncPolicy: Hashable, Sendable {
    /// Hints for one object that arrive within this time share a request.
    public var gatherMilliseconds: Int64 = 100
    /// Ids in one request; the server takes 2,000.
    public var maximumBatch = FetchRequest.maximumRecords
    /// Requests in flight at the same time, never two for one record.
    public var maximumRequests = 2
    /// Tries of a request within one push, including the first.
    public var maximumTries = 3
    /// The wait before the second try. It doubles with each further try, and half of each wait is random.
    public var backoffMilliseconds: Int64 = 1_000
    public var maximumBackoffMilliseconds: Int64 = 60_000
    /// Records waiting in memory, over all objects. The store has its own limit.
    public var maximumPending = 10_000

    public init() {}

    /// - Parameter random: Any number. It spreads the tries of many devices over the second half of the wait.
    func backoff(afterTry number: Int, random: UInt64) -> Int64 {
        let doubled = backoffMilliseconds << min(max(0, number - 1), 20)
        let wait = min(max(0, doubled), maximumBackoffMilliseconds)
        return wait / 2 + Int64(random % UInt64(wait / 2 + 1))
    }
}
