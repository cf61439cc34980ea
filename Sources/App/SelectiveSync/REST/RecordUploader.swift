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

    /// The record whose external id field has a value; nil if there is none. It is asked for after a creation whose answer was
    /// lost.
    func find(_ lookup: RecordLookup) async throws(FetchError) -> ServerRecord?
}

extension RecordUploader {
    /// The limit of a composite call.
    public static var maximumWrites: Int { CompositeCall.maximumCalls }
}

/// A request for a record by the value of an external id field.
public struct RecordLookup: Hashable, Sendable {
    public var object: String
    public var externalIDField: String
    public var value: String
    /// API names; `Id` is always returned.
    public var fields: [String]
    public var timeoutMilliseconds: Int64

    public init(
        object: String, externalIDField: String, value: String, fields: [String], timeoutMilliseconds: Int64
    ) {
        self.object = object
        self.externalIDField = externalIDField
        self.value = value
        self.fields = fields
        self.timeoutMilliseconds = timeoutMilliseconds
    }
}
