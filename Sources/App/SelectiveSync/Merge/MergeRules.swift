/// How the records of one object are taken in (docs/reference/selective-sync.md 7.2 and 9, rule 6).
public struct MergeRules: Hashable, Sendable {
    public enum Mode: String, Hashable, Sendable, CaseIterable {
        /// An unsent edit gives way to the server's copy.
        case overwrite
        /// A record with an unsent edit is left alone.
        case leaveIfChanged
    }

    public enum Missing: String, Hashable, Sendable, CaseIterable {
        case remove
        /// The local copy stays, with `isGone` set.
        case mark
    }

    public var mode: Mode
    public var missing: Missing

    /// What a push leads to uses `leaveIfChanged` unless the app says otherwise: a push must never destroy an edit.
    public init(mode: Mode = .leaveIfChanged, missing: Missing = .remove) {
        self.mode = mode
        self.missing = missing
    }
}
