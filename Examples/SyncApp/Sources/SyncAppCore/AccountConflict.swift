public import SelectiveSync

/// An account that the user and somebody else have changed differently. It is not uploaded until the user decides.
public struct AccountConflict: Hashable, Sendable, Identifiable {
    let conflict: RecordConflict

    public init(_ conflict: RecordConflict) { self.conflict = conflict }

    public var id: RecordKey { conflict.key }
    /// The name that the user gave; nil if the user has deleted the account.
    public var mine: String? { conflict.isDeletedHere ? nil : conflict.mine["Name"]?.string ?? "–" }
    /// The name in the CRM; nil if the account was deleted there.
    public var theirs: String? { conflict.theirs.map { $0["Name"]?.string ?? "–" } }
}
