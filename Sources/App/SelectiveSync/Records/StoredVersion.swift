import PushDispatch

/// The version of a record that a store has, without its fields.
public struct StoredVersion: Hashable, Sendable {
    public var systemModstamp: ServerDate?
    public var lastModifiedDate: ServerDate?
    /// The record is marked as gone.
    public var isGone: Bool

    public init(systemModstamp: ServerDate?, lastModifiedDate: ServerDate?, isGone: Bool = false) {
        self.systemModstamp = systemModstamp
        self.lastModifiedDate = lastModifiedDate
        self.isGone = isGone
    }

    package init(_ record: LocalRecord) {
        let stamps = record.stamps
        self.init(systemModstamp: stamps.system, lastModifiedDate: stamps.user, isGone: record.isGone)
    }
}

/// A record in a list of ids and modification dates.
struct ListedRecord: Hashable, Sendable {
    let id: RecordID
    let date: ServerDate

    /// Whether the server has a version that the store lacks.
    ///
    /// - Parameter orderField: The field that the date is of.
    func isNewer(than stored: StoredVersion, orderField: String) -> Bool {
        let known = orderField == "SystemModstamp" ? stored.systemModstamp : stored.lastModifiedDate
        return stored.isGone || known.map { $0 < date } ?? true
    }
}
