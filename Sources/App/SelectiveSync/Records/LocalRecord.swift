public import PushDispatch

/// A record as the device has it.
public struct LocalRecord: Hashable, Sendable {
    /// What was done here that the server does not have yet (docs/reference/selective-sync.md 7.1). A record can be made and deleted
    /// before it was ever uploaded, so these are flags.
    public struct Changes: OptionSet, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let created = Changes(rawValue: 1)
        public static let updated = Changes(rawValue: 2)
        public static let deleted = Changes(rawValue: 4)
    }

    public var key: RecordKey
    /// The last state from the server with the user's edits in it: API names and values.
    public var fields: [String: JSONValue]
    /// Empty for a clean record; anything else makes it dirty, and no fetch touches it.
    public var changes: Changes
    /// What became of the last upload, where it failed.
    public var lastError: String?
    /// The sync that brought it.
    public var syncID: String?
    /// The server does not show it any more, and it is kept for the app to see (`MissingRule.mark`).
    public var isGone: Bool
    /// The modification date that the last upload returned: the same date coming down is the echo of that upload.
    public var uploaded: ServerDate?
    private var row = Row()

    /// Where a store keeps a record. It says nothing of the record itself, so it does not count when two are compared.
    private struct Row: Hashable, Sendable {
        var number: Int64?

        static func == (_: Row, _: Row) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }

    public init(_ key: RecordKey, fields: [String: JSONValue], changes: Changes = []) {
        self.key = key
        self.fields = fields
        self.changes = changes
        isGone = false
    }

    public init(_ record: ServerRecord, changes: Changes = []) {
        self.init(.server(record.id), fields: record.fields, changes: changes)
    }

    /// The number of the store's row that it was read from, the same for as long as the record is there; nil for a record
    /// that was not read from a store. Putting it into a store does not look at it, nor does a comparison.
    public package(set) var rowNumber: Int64? {
        get { row.number }
        set { row.number = newValue }
    }

    public var isDirty: Bool { !changes.isEmpty }

    /// Nil for a record that the server has never seen.
    public var record: ServerRecord? { key.id.map { ServerRecord(id: $0, fields: fields) } }

    /// The newest date of the server's copy that this one is made from.
    package var stamps: Stamps { Stamps(fields) }

    /// The same record with the flags of docs/reference/selective-sync.md 7.1 among its fields, under their usual names.
    public var fieldsWithFlags: [String: JSONValue] {
        var all = fields
        all["Id"] = .string(key.description)
        all["__local__"] = .bool(isDirty)
        all["__locally_created__"] = .bool(changes.contains(.created))
        all["__locally_updated__"] = .bool(changes.contains(.updated))
        all["__locally_deleted__"] = .bool(changes.contains(.deleted))
        all["__sync_id__"] = syncID.map { .string($0) }
        all["__last_error__"] = lastError.map { .string($0) }
        all["_soupEntryId"] = rowNumber.map { .integer($0) }
        return all
    }
}
