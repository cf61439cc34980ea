/// Fetches records by their ids.
public protocol RecordFetcher: Sendable {
    /// - Returns: One element for each id, in the same order.
    func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord]

    /// The same fetcher for the calls of one user. A `RecordSync` makes each call with that of its user, so that a call which
    /// starts before a change of users and is sent after it cannot get the other user's session.
    ///
    /// By default it is the fetcher itself.
    func limited(to user: String) -> Self
}

extension RecordFetcher {
    public func limited(to user: String) -> Self { self }
}
