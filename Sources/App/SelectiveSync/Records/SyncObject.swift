public import PushDispatch

/// What an app keeps of the records of one object.
public struct SyncObject: Sendable {
    /// The API name, as in a hint.
    public var name: String
    /// All fields that the app needs, because a fetched record replaces the local one. `Id` is always fetched. If a later
    /// version of the app adds a field, the next regular sync fetches the stored records again.
    public var fields: [String]
    /// The date field of the regular sync and of its mark: `SystemModstamp` if it is among the stamps.
    /// `LastModifiedDate`, which docs/reference/selective-sync.md 7.3 names, does not change when an automatic process
    /// changes a record (section 6.8 there), so the app would not reach the same state without pushes (section 9, rule
    /// 1).
    public var orderField: String
    /// The fields that an upload sends. Nil sends all fields but the id, the dates, and the fields of related records.
    public var editableFields: [String]?
    /// A field of the object that is marked as an external id and unique, of at least 32 characters. A new record is then
    /// created by upsert under an id that this device makes, so that a lost answer cannot create it twice. Nil sends a plain
    /// creation, which can.
    public var externalIDField: String?
    /// Which records belong on this device, checked by the server; nil for all that the user may see. Records that leave this
    /// scope are removed from the device, except for those with unsent edits. After a change of the filter the next regular
    /// sync fetches what is missing and removes what no longer matches.
    public var filter: RecordFilter?
    public var rules = MergeRules()
    public var network = NetworkRule.any
    /// Whether the records are fetched only while the app is in the foreground, for example because they are large. Hints that
    /// a push brings in the background wait in the store. `RecordSync.foregroundChanged(to:)` says where the app is.
    public var waitsForForeground = false
    /// Which records may be fetched, checked on this device before each request. `filter` is checked by the server.
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

    func isFetched(network: SyncNetwork, isInForeground: Bool) -> Bool {
        self.network.allows(network) && (isInForeground || !waitsForForeground)
    }

    var editable: EditableFields { EditableFields(editableFields) }

    /// The rules with the fields that an edit can concern.
    var mergeRules: MergeRules {
        var rules = rules
        rules.editable = editable
        return rules
    }
}
