public import PushDispatch

/// The result of a merge.
public struct MergeResult: Hashable, Sendable {
    public var counts: MergeCounts
    /// The records inserted, changed, marked or removed.
    public var changed: [RecordID]

    public init(counts: MergeCounts = MergeCounts(), changed: [RecordID] = []) {
        self.counts = counts
        self.changed = changed
    }

    package mutating func count(_ merge: MergeDecision, of record: RecordID) {
        counts.count(merge, of: record)
        if merge.isNewData { changed.append(record) }
    }
}
