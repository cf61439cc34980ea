/// Sends edits to the server.
public protocol RecordUploader: RecordFetcher {
    /// The maximum number of changes in one call.
    static var maximumWrites: Int { get }

    /// Sends changes of records of one object, at most `maximumWrites`.
    ///
    /// - Returns: One reply for each, in the same order. A refusal is a reply.
    /// - Throws: An error that concerns all of them. Whether the server made the changes is not known then.
    func write(
        _ writes: [RecordWrite], of object: String, timeoutMilliseconds: Int64
    ) async throws(FetchError) -> [UploadReply]
}

extension RecordUploader {
    /// The limit of a composite call.
    public static var maximumWrites: Int { CompositeCall.maximumCalls }
}
