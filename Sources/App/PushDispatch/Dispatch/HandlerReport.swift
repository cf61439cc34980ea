/// What became of a hint, in the facts that the result is made from (docs/reference/selective-sync.md 8.4).
public struct HandlerReport: Hashable, Sendable {
    /// Records stored anew, changed or removed.
    public var changed: Int
    /// Records that are to be tried again.
    public var unfinished: [RecordID]
    /// Whether something went wrong, also where trying again is of no use.
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
