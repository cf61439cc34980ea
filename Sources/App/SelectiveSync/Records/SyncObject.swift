public import PushDispatch

/// What an app keeps of the records of one object.
public struct SyncObject: Sendable {
    /// The API name, as in a hint.
    public var name: String
    /// All fields that the app needs, because a fetched record replaces the local one. `Id` is always fetched.
    public var fields: [String]
    /// The date field of the regular sync and of its mark: `SystemModstamp` if it is among the stamps.
    /// `LastModifiedDate`, which docs/reference/selective-sync.md 7.3 names, does not change when an automatic process changes a
    /// record (6.8), so the app would not reach the same state without pushes (9, rule 1).
    public var orderField: String
    /// The fields that an upload sends. Nil sends all fields but the id, the dates, and the fields of related records.
    public var editableFields: [String]?
    public var rules = MergeRules()
    public var network = NetworkRule.any
    /// Which records belong on this device, for example those of the user's territory. Others are not fetched.
    public var isInScope: @Sendable (RecordID) -> Bool

    /// - Parameter stamps: Fields that show which of two versions is newer. Name only fields that the object has: the server
    ///   refuses a whole fetch that asks for another one.
    public init(
        _ name: String, fields: [String], stamps: [String] = ["LastModifiedDate", "SystemModstamp"],
        isInScope: @escaping @Sendable (RecordID) -> Bool = { _ in true }
    ) {
        self.name = name
        self.fields = fields + stamps.filter { !fields.contains($0) }
        orderField = stamps.contains("SystemModstamp") ? "SystemModstamp" : "LastModifiedDate"
        self.isInScope = isInScope
    }
}
