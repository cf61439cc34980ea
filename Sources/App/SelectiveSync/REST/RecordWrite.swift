public import PushDispatch

/// One change on its way to the server.
public enum RecordWrite: Hashable, Sendable {
    case create([String: JSONValue])
    /// - Parameter unmodifiedSince: The change is refused if the record was modified later; nil changes it always.
    case update(RecordID, [String: JSONValue], unmodifiedSince: ServerDate?)
    case delete(RecordID, unmodifiedSince: ServerDate?)
}
