/// The rules for merging the records of one object (docs/reference/selective-sync.md 7.2 and 9, rule 6).
public struct MergeRules: Hashable, Sendable {
    public enum Mode: String, Hashable, Sendable, CaseIterable {
        /// The server's version replaces unsent edits.
        case overwrite
        /// The server's version is merged into unsent edits, field by field.
        case leaveIfChanged
    }

    public enum Missing: String, Hashable, Sendable, CaseIterable {
        case remove
        /// The local record stays, with `isGone` set.
        case mark
    }

    public var mode: Mode
    public var missing: Missing
    /// In the mode `leaveIfChanged`.
    public var conflicts: ConflictPolicy
    package var editable = EditableFields()

    /// The default mode is `leaveIfChanged`, because a push must not destroy an edit.
    public init(mode: Mode = .leaveIfChanged, missing: Missing = .remove, conflicts: ConflictPolicy = .keep) {
        self.mode = mode
        self.missing = missing
        self.conflicts = conflicts
    }
}
