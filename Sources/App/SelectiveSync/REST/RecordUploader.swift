/// Where edits go, and where records come from.
public protocol RecordUploader: RecordFetcher {
    /// How many changes go into one call.
    static var maximumWrites: Int { get }

    /// Sends changes of records of one object, at most `maximumWrites`.
    ///
    /// - Returns: One reply for each, in the same order. A refusal is a reply.
    /// - Throws: What concerns all of them; what became of them is not known then.
    func write(
        _ writes: [RecordWrite], of object: String, timeoutMilliseconds: Int64
    ) async throws(FetchError) -> [UploadReply]
}

extension RecordUploader {
    /// As many as a composite call takes.
    public static var maximumWrites: Int { CompositeCall.maximumCalls }
}
