public import PushDispatch

/// How an app keeps the records of one object.
public struct SyncObject: Sendable {
    /// API name, as in a hint.
    public var name: String
    /// The app's whole field list: a fetched record replaces the local one. `Id` is always asked for.
    public var fields: [String]
    /// The date that the regular sync goes by and keeps its mark in: `SystemModstamp` where it is among the stamps.
    /// `LastModifiedDate`, which docs/reference/selective-sync.md 7.3 names, misses what only an automatic process changed (6.8), and the
    /// app would not end where it ends with push (9, rule 1).
    public var orderField: String
    /// The fields that an upload sends. Nil sends all that a record has, but for its id, its dates, and what belongs to
    /// other records.
    public var editableFields: [String]?
    public var rules = MergeRules()
    public var network = NetworkRule.any
    /// Which records belong on this device, such as those of the user's territory; others are not asked for.
    public var isInScope: @Sendable (RecordID) -> Bool

    /// - Parameter stamps: Fields that tell which of two copies is newer. An object without one of them refuses the
    ///   whole fetch if it is asked for.
    public init(
        _ name: String, fields: [String], stamps: [String] = ["LastModifiedDate", "SystemModstamp"],
        isInScope: @escaping @Sendable (RecordID) -> Bool = { _ in true }
    ) {
        self.name = name
        self.fields = fields + stamps.filter { !fields.contains($0) }
        orderField = stamps.contains("SystemModstamp") ? "SystemModstamp" : "LastModifiedDate"
        self.isInScope = isInScope
    }

    /// The objects that types of push name with a field list. Types of one object share one list, because a fetched
    /// record replaces the local one.
    public static func all(of types: HintTypes) -> [SyncObject] {
        var fields: [String: [String]] = [:]
        for type in types.all {
            guard let object = type.content.object else { continue }
            let known = fields[object] ?? []
            fields[object] = known + type.fields.filter { !known.contains($0) }
        }
        return fields.sorted { $0.key < $1.key }.map { SyncObject($0.key, fields: $0.value) }
    }
}
