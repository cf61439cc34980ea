public import PushDispatch

/// A record as the server sent it.
public struct ServerRecord: Hashable, Sendable {
    public var id: RecordID
    /// API names and values, without `attributes`.
    public var fields: [String: JSONValue]

    public init(id: RecordID, fields: [String: JSONValue]) {
        self.id = id
        self.fields = fields
    }

    /// The last change by a user or an automatic process; nil if it was not asked for.
    public var systemModstamp: ServerDate? { date("SystemModstamp") }

    /// The last change by a user.
    public var lastModifiedDate: ServerDate? { date("LastModifiedDate") }

    private func date(_ field: String) -> ServerDate? { fields[field]?.string.flatMap { ServerDate($0) } }
}
