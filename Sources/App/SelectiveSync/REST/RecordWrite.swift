public import PushDispatch

/// One change to send to the server.
public enum RecordWrite: Hashable, Sendable {
    case create([String: JSONValue])
    /// - Parameter unmodifiedSince: The server refuses the change if the record was modified later. Nil sends no condition.
    case update(RecordID, [String: JSONValue], unmodifiedSince: ServerDate?)
    case delete(RecordID, unmodifiedSince: ServerDate?)
}
