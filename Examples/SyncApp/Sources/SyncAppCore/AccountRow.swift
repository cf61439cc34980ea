public import SelectiveSync

/// One line of the list of accounts.
public struct AccountRow: Hashable, Sendable, Identifiable {
    public let id: RecordKey
    public let name: String
    /// Has edits that the server lacks.
    public let isEdited: Bool
    /// The last upload was refused; the user has to see why.
    public let problem: String?

    public init(_ record: LocalRecord) {
        id = record.key
        name = record.fields["Name"]?.string ?? "–"
        isEdited = record.isDirty
        problem = record.lastError
    }
}
