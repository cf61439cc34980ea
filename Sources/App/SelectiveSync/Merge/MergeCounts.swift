public import PushDispatch

/// What a merge did, counted as the dispatcher's result needs it (docs/reference/selective-sync.md 8.4).
public struct MergeCounts: Hashable, Sendable {
    public var inserted = 0
    public var replaced = 0
    public var removed = 0
    /// Gone at the server, and marked so here.
    public var marked = 0
    /// The same as here.
    public var unchanged = 0
    /// Older than here, and left alone.
    public var older = 0
    /// Left alone because of an unsent edit.
    public var dirty = 0
    /// Gone at the server, kept here because of an unsent edit: the app has to ask its user.
    public var dirtyMissing: [RecordID] = []
    /// Neither at the server nor here.
    public var absent = 0

    public init() {}

    /// More than none makes the result `newData`.
    public var changed: Int { inserted + replaced + removed + marked }

    package mutating func count(_ merge: MergeDecision, of record: RecordID) {
        switch merge {
        case .insert: inserted += 1
        case .replace: replaced += 1
        case .refresh: unchanged += 1
        case .leaveNewer: older += 1
        case .leaveDirty: dirty += 1
        case .remove: removed += 1
        case .mark: marked += 1
        case .leaveDirtyMissing: dirtyMissing.append(record)
        case .nothing: absent += 1
        }
    }
}
