/// What became of a hint. The result follows from it (docs/reference/selective-sync.md 8.4).
public struct HandlerReport: Hashable, Sendable {
    /// Number of records added, changed or removed.
    public var changed: Int
    /// Records to try again.
    public var unfinished: [RecordID]
    /// Whether something failed, even if trying again is of no use.
    public var isFailed: Bool

    public init(changed: Int, unfinished: [RecordID] = [], isFailed: Bool = false) {
        self.changed = changed
        self.unfinished = unfinished
        self.isFailed = isFailed
    }

    public var result: PushResult {
        if changed > 0 { return .newData }
        return isFailed || !unfinished.isEmpty ? .failed : .noData
    }
}
