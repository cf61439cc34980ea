public import PushDispatch

/// The number of records by what a merge did with them (docs/reference/selective-sync.md 8.4).
public struct MergeCounts: Hashable, Sendable {
    public var inserted = 0
    public var replaced = 0
    public var removed = 0
    /// Gone at the server, and marked as gone.
    public var marked = 0
    /// The same as the local record.
    public var unchanged = 0
    /// Older than the local record, and skipped.
    public var older = 0
    /// Records with unsent edits that got other values from the server.
    public var merged = 0
    /// Records with unsent edits that did not change.
    public var dirty = 0
    /// Records whose edits contradict the server's version. The app has to ask its user.
    public var conflicts: [RecordID] = []
    /// Gone at the server, but kept because of an unsent edit. The app has to ask its user.
    public var dirtyMissing: [RecordID] = []
    /// Neither at the server nor in the store.
    public var absent = 0

    public init() {}

    /// If it is not 0, the result of the push is `newData`.
    public var changed: Int { inserted + replaced + removed + marked + merged }

    package mutating func count(_ merge: MergeDecision, of record: RecordID) {
        switch merge {
        case .insert: inserted += 1
        case .replace: replaced += 1
        case .refresh: unchanged += 1
        case .leaveNewer: older += 1
        case .leaveDirty: dirty += 1
        case .remove: removed += 1
        case .mark: marked += 1
        case .mergeEdits(let after, let isNewData):
            if isNewData { merged += 1 } else { dirty += 1 }
            if after.conflict != nil { conflicts.append(record) }
        case .leaveDirtyMissing, .mergeDeletion: dirtyMissing.append(record)
        case .nothing: absent += 1
        }
    }
}
