public import PushDispatch

/// A record in the local store.
public struct LocalRecord: Hashable, Sendable {
    /// Edits on this device that the server does not have yet (docs/reference/selective-sync.md 7.1). A record can be
    /// created and deleted before it is uploaded, so these are flags.
    public struct Changes: OptionSet, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let created = Changes(rawValue: 1)
        public static let updated = Changes(rawValue: 2)
        public static let deleted = Changes(rawValue: 4)
    }

    public var key: RecordKey
    /// API names and values: the last version from the server with the user's edits applied.
    public var fields: [String: JSONValue]
    /// Empty for a clean record. Otherwise the record is dirty: it has edits, into which a fetched version is merged.
    public var changes: Changes
    /// The server's version that the edits were made from; nil for a clean or a new record. A field in conflict keeps the
    /// value that it had before the server changed it.
    public var base: [String: JSONValue]?
    /// The server's version that contradicts the edits; nil without a conflict (`conflict`).
    public var theirs: [String: JSONValue]?
    /// The fields of an upload whose answer is not known. The server's copy of them is recognised as the user's own.
    public var sent: [String: JSONValue]?
    /// The value of `SyncObject.externalIDField` under which a new record is created, so that a lost answer cannot create it
    /// twice.
    public var externalID: String?
    /// The key of a record that was created on this device, also after it was uploaded.
    public var localKey: RecordKey?
    /// Why the last upload failed, if it did.
    public var lastError: String?
    /// The sync that stored the record last.
    public var syncID: String?
    /// The server no longer shows the record, and it is kept for the app (`MergeRules.Missing.mark`).
    public var isGone: Bool
    /// The modification date that the last upload returned. A fetched record with this date is the version that was
    /// uploaded.
    public var uploaded: ServerDate?
    private var row = Row()

    /// A record's row in a store. It is not part of the record's content, so it does not count in a comparison.
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
        if case .local = key { localKey = key }
    }

    public init(_ record: ServerRecord, changes: Changes = []) {
        self.init(.server(record.id), fields: record.fields, changes: changes)
    }

    /// The number of the row in the store, constant for as long as the record exists; nil for a record that was not read
    /// from a store. A store ignores it when the record is put, and a comparison ignores it too.
    public package(set) var rowNumber: Int64? {
        get { row.number }
        set { row.number = newValue }
    }

    public var isDirty: Bool { !changes.isEmpty }

    /// Nil for a record that the server has never seen.
    public var record: ServerRecord? { key.id.map { ServerRecord(id: $0, fields: fields) } }

    /// The stamps of the server's version that this record is based on.
    package var stamps: Stamps { Stamps(fields) }

    /// The fields together with the flags of docs/reference/selective-sync.md 7.1, under their usual names.
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
