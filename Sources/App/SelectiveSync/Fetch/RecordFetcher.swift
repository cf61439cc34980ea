/// Fetches records by their ids.
public protocol RecordFetcher: Sendable {
    /// - Returns: One element for each id, in the same order.
    func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord]
}
