public import PushDispatch

/// What a store takes in as one transaction: answers of the server, and the progress after them.
public struct MergeBatch: Hashable, Sendable {
    public var object: String
    public var answers: [FetchedRecord]
    public var rules: MergeRules
    /// The user for whom the answers were fetched. A store with another owner refuses the batch.
    public var user: String?
    /// The generation in which the answers were asked for. A store with another one refuses the batch. Nil for any.
    public var generation: StoreGeneration?
    /// Hints that the answers serve. They are removed from the pending list, unless they were kept again since.
    public var forget: [PendingRecord]
    /// Records to fetch once more; they are added to the pending list. The mark may be past them, so neither a full list nor
    /// a log-out may drop them (`PendingList.keepBehindMark(_:of:)`).
    public var keep: [RecordID]
    /// The progress of the regular sync after these answers. Nil for a selective fetch, so that it cannot move the mark.
    public var progress: SyncProgress?
    public var syncID: String?
    /// The answers were read without the object's filter. A record that is without edits after the merge may be out of scope, so
    /// it is added to the pending list: it is fetched once more with the filter, and removed if it does not match.
    package var isReadWithoutFilter = false

    public init(_ object: String, _ answers: [FetchedRecord], rules: MergeRules = MergeRules(), user: String? = nil) {
        self.object = object
        self.answers = answers
        self.rules = rules
        self.user = user
        forget = []
        keep = []
    }
}
