public import PushDispatch

/// What a store takes in as one transaction: answers of the server, and the progress that they stand for.
public struct MergeBatch: Hashable, Sendable {
    public var object: String
    public var answers: [FetchedRecord]
    public var rules: MergeRules
    /// The user for whom the answers were fetched; a store that belongs to another user by now refuses the batch.
    public var user: String?
    /// Hints that the answers serve; they leave the pending list unless they were kept anew since.
    public var forget: [PendingRecord]
    /// Records to be fetched (once more), which join the pending list. The mark may be past them: they must not give way in a
    /// full list, and stay at a log-out (`PendingList.keepBehindMark(_:of:)`).
    public var keep: [RecordID]
    /// How far the regular sync is with these answers. A selective fetch has none, so that it cannot move the mark.
    public var progress: SyncProgress?
    public var syncID: String?

    public init(_ object: String, _ answers: [FetchedRecord], rules: MergeRules = MergeRules(), user: String? = nil) {
        self.object = object
        self.answers = answers
        self.rules = rules
        self.user = user
        forget = []
        keep = []
    }
}
