public import PushDispatch

/// How an app keeps the records of one object.
public struct SyncObject: Sendable {
    /// API name, as in a hint.
    public var name: String
    /// The app's whole field list: a fetched record replaces the local one. `Id` is always asked for.
    public var fields: [String]
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
        self.isInScope = isInScope
    }
}
