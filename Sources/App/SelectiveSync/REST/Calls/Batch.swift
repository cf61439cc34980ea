/// One part of a batch.
public enum BatchRequest: Hashable, Sendable {
    /// Fetches one id.
    case record(FetchRequest)
    /// Without the preferred page size, because parts have no headers.
    case query(QueryRequest)
    case deletions(DeletionsRequest)
    /// Without a condition on the modification date, because parts have no headers.
    case write(RecordWrite, of: String)
}

/// The reply to one part of a batch.
public enum BatchReply: Hashable, Sendable {
    case record(FetchedRecord)
    case page(QueryPage)
    case deletions(Deletions)
    case written(UploadReply)
    /// The server refused this part, or its answer is invalid.
    case failed(FetchError)
    /// Not executed, because an earlier part was refused.
    case halted
}

extension RESTClient {
    /// Sends up to 25 calls in one. The server executes them in order, and each counts as an API call. Unlike a composite
    /// call, which counts once, a batch can stop at the first refusal and can contain any number of queries.
    ///
    /// - Parameters:
    ///   - haltsOnError: Whether the parts after a refused one are skipped. Earlier parts are not undone.
    ///   - timeoutMilliseconds: For the whole batch; the timeouts of the requests are ignored.
    /// - Returns: One reply for each request, in the same order.
    /// - Throws: An error that concerns all of them. Whether the server executed them is not known then.
    public func batch(
        _ requests: [BatchRequest], haltsOnError: Bool = false, timeoutMilliseconds: Int64 = 20_000
    ) async throws(FetchError) -> [BatchReply] {
        guard !requests.isEmpty else { return [] }
        return try await perform(
            BatchCall(requests, haltsOnError: haltsOnError, version: version), timeoutMilliseconds)
    }
}
