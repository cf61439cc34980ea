public import PushDispatch

/// How far the regular sync of one object has come; the store keeps it beside the records it stands for.
public struct SyncProgress: Hashable, Sendable, Codable {
    public var state: SyncState
    /// The high-water mark: every change the server made up to here is in the store. Nil before the first pass ended
    /// and after deletions were lost. Only a regular sync moves it.
    public var mark: ServerDate?
    /// Deletions are known up to here.
    public var deletedCovered: ServerDate?
    /// When all local ids were last compared with the server's, by the device's clock.
    public var ghostsChecked: ServerDate?
    /// The pass under way or broken off; nil when the last one ended.
    public var pass: Pass?

    /// Hints dropped up to here are served by the last pass that ended.
    public var served: PendingMark?

    public init() { state = .new }

    /// Whether a regular sync may have come past a change of this date, so that none is sure to bring it any more.
    ///
    /// - Parameter date: Nil where the server did not tell it.
    package func mayBePast(_ date: ServerDate?) -> Bool {
        if pass != nil { return true }
        guard let mark else { return false }
        return date.map { $0 <= mark } ?? true
    }

    /// One pass, as far as it has come.
    public struct Pass: Hashable, Sendable, Codable {
        public enum Phase: String, Hashable, Sendable, Codable {
            case query, deletions, ghosts
        }

        /// How far the pending list had grown when it began: hints dropped before are served by it.
        public var pending: PendingMark
        /// By the device's clock.
        public var began: ServerDate
        public var phase: Phase
        /// Where the next page is; nil for the first one.
        public var next: String?
        public var pages: Int
        /// One of the pages that were there already, to see a chain that goes round in a circle.
        public var landmark: String?
        /// Records on the pages since the first one.
        public var received: Int?
        /// How often the server refused a next page since the mark last moved.
        public var refusals: Int?
        /// The greatest modification date that came.
        public var highest: ServerDate?
        /// The greatest date of which surely all records have come; moves page by page while the order holds.
        public var covered: ServerDate?
        public var isSorted: Bool
        /// The server's clock when the first page was made: what changed later may be missing from the pages.
        public var serverDate: ServerDate?
        /// Everything is asked for once more, because deletions were lost.
        public var isFull: Bool
        public var wantsGhosts: Bool
        /// The last local id that was compared.
        public var ghostCursor: RecordID?

        init(pending: PendingMark, began: ServerDate, wantsGhosts: Bool) {
            self.pending = pending
            self.began = began
            self.wantsGhosts = wantsGhosts
            phase = .query
            pages = 0
            isSorted = true
            isFull = false
        }
    }
}
