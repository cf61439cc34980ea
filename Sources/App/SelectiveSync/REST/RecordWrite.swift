public import PushDispatch

/// One change to send to the server.
public enum RecordWrite: Hashable, Sendable {
    case create([String: JSONValue])
    /// Creates the record whose external id field has `value`, or changes it if it exists.
    case upsert(field: String, value: String, [String: JSONValue])
    /// - Parameter unmodifiedSince: The server refuses the change if a user has modified the record later, to the second. Nil
    ///   sends no condition.
    case update(RecordID, [String: JSONValue], unmodifiedSince: ServerDate?)
    /// Without a condition: the server does not honour one.
    case delete(RecordID)
}
