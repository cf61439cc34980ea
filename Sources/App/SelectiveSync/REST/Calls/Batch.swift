/// One part of a batch.
public enum BatchRequest: Hashable, Sendable {
    /// A fetch of one id.
    case record(FetchRequest)
    /// Its wish for a page size cannot go along.
    case query(QueryRequest)
    case updates(UpdatesRequest)
    case deletions(DeletionsRequest)
    /// Without a condition on the modification date, since parts have no headers.
    case write(RecordWrite, of: String)
}

/// What became of one part of a batch.
public enum BatchReply: Hashable, Sendable {
    case record(FetchedRecord)
    case page(QueryPage)
    case updates(Updates)
    case deletions(Deletions)
    case written(UploadReply)
    /// The server refused this part, or its answer is not what was asked for.
    case failed(FetchError)
    /// Not tried, because an earlier part was refused.
    case halted
}

extension RESTClient {
    /// Up to 25 calls in one, done one after the other, of which each counts as an API call. A composite call counts once;
    /// a batch can stop at the first refusal, and mixes kinds of calls, as many queries as you like.
    ///
    /// - Parameters:
    ///   - haltsOnError: Whether the parts behind a refused one are left undone. What was done before stays done.
    ///   - timeoutMilliseconds: For all of them; the times in the requests do not count.
    /// - Returns: One reply for each request, in the same order.
    /// - Throws: What concerns all of them; what became of them is not known then.
    public func batch(
        _ requests: [BatchRequest], haltsOnError: Bool = false, timeoutMilliseconds: Int64 = 20_000
    ) async throws(FetchError) -> [BatchReply] {
        guard !requests.isEmpty else { return [] }
        return try await perform(
            BatchCall(requests, haltsOnError: haltsOnError, version: version), timeoutMilliseconds)
    }
}
