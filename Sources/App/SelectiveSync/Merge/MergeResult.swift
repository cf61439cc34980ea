public import PushDispatch

/// What a store did with a batch.
public struct MergeResult: Hashable, Sendable {
    public var counts: MergeCounts
    /// The records stored anew, changed, marked or removed.
    public var changed: [RecordID]

    public init(counts: MergeCounts = MergeCounts(), changed: [RecordID] = []) {
        self.counts = counts
        self.changed = changed
    }

    package mutating func count(_ merge: MergeDecision, of record: RecordID) {
        counts.count(merge, of: record)
        if merge.isNews { changed.append(record) }
    }
}
