public import SelectiveSync

/// An account in the list.
public struct AccountRow: Hashable, Sendable, Identifiable {
    public let id: RecordKey
    public let name: String
    /// Whether it has edits that were not uploaded.
    public let isEdited: Bool
    /// Why the last upload was refused, to show to the user.
    public let problem: String?

    public init(_ record: LocalRecord) {
        id = record.key
        name = record.fields["Name"]?.string ?? "–"
        isEdited = record.isDirty
        problem = record.lastError
    }
}
