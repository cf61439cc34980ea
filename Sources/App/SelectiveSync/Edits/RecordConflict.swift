public import PushDispatch

/// Edits of a record that contradict changes at the server. They are kept until `StoreSession.resolve` decides, and are not
/// uploaded before.
public struct RecordConflict: Hashable, Sendable {
    public var key: RecordKey
    /// The fields with the user's edits.
    public var mine: [String: JSONValue]
    /// The server's version; nil if the server no longer shows the record.
    public var theirs: [String: JSONValue]?
    /// The server's version that the edits were made from; empty if it is not known.
    public var base: [String: JSONValue]
    /// The fields that both sides have changed, sorted; empty if one side has deleted the record.
    public var fields: [String]
    /// The user has deleted the record, and the server's version has changed.
    public var isDeletedHere: Bool

    public var isDeletedAtServer: Bool { theirs == nil }

    /// Whether the other conflict of the record is of the same kind. One with a deletion is about the whole version.
    func isAbout(_ other: RecordConflict) -> Bool {
        guard isDeletedHere == other.isDeletedHere, isDeletedAtServer == other.isDeletedAtServer else { return false }
        let editable = EditableFields()
        return !isDeletedHere
            || (other.theirs ?? [:]).allSatisfy { name, value in
                !editable.contains(name, value) || EditableFields.same(theirs?[name], value)
            }
    }
}

extension LocalRecord {
    /// Nil where user and server do not contradict each other.
    public var conflict: RecordConflict? {
        guard isDirty else { return nil }
        if isGone, !changes.contains(.created), !changes.contains(.deleted) {
            return RecordConflict(
                key: key, mine: fields, theirs: nil, base: base ?? [:], fields: [], isDeletedHere: false)
        }
        guard let theirs else { return nil }
        let isDeleted = changes.contains(.deleted)
        return RecordConflict(
            key: key, mine: fields, theirs: theirs, base: base ?? [:],
            fields: isDeleted ? [] : conflicts(with: theirs).sorted(), isDeletedHere: isDeleted)
    }

    func conflicts(with theirs: [String: JSONValue]) -> Set<String> {
        FieldMerge(base: base ?? [:], mine: fields, theirs: theirs).conflicts
    }
}
