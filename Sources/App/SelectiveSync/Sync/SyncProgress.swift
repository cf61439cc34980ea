public import PushDispatch

/// The progress of the regular sync of one object. The store keeps it together with the records.
public struct SyncProgress: Hashable, Sendable, Codable {
    public var state: SyncState
    /// The high-water mark: the store has every change that the server made up to this date. Nil before the first pass has
    /// ended, and after deletions were missed. Only a regular sync moves it.
    public var mark: ServerDate?
    /// The store has every deletion up to this date.
    public var deletedCovered: ServerDate?
    /// When all local ids were last compared with the server's, by the device's clock.
    public var ghostsChecked: ServerDate?
    /// The pass that is running or was interrupted; nil if the last one has ended.
    public var pass: Pass?
    /// The last finished pass serves all hints up to this mark that were dropped.
    public var served: PendingMark?

    public init() { state = .new }

    /// Whether a regular sync may have passed a change of this date, so that no later one is certain to fetch it.
    ///
    /// - Parameter date: Nil if the server did not return it.
    package func mayBePast(_ date: ServerDate?) -> Bool {
        if pass != nil { return true }
        guard let mark else { return false }
        return date.map { $0 <= mark } ?? true
    }

    /// A pass that has not ended.
    public struct Pass: Hashable, Sendable, Codable {
        public enum Phase: String, Hashable, Sendable, Codable {
            case query, deletions, ghosts
        }

        /// The mark of the pending list when the pass started. The pass serves all hints up to it that were dropped.
        public var pending: PendingMark
        /// When the pass started, by the device's clock.
        public var began: ServerDate
        public var phase: Phase
        /// The address of the next page; nil for the first page.
        public var next: String?
        public var pages: Int
        /// The address of an earlier page. A server that returns it again repeats its pages.
        public var landmark: String?
        /// The number of records received since the first page.
        public var received: Int?
        /// How often the server has refused a next page since the mark moved.
        public var refusals: Int?
        /// The latest modification date received.
        public var highest: ServerDate?
        /// The latest date of which all records have certainly arrived. It moves page by page while the records are sorted.
        public var covered: ServerDate?
        public var isSorted: Bool
        /// The time of the server's clock when it made the first page. Later changes may be missing from the pages.
        public var serverDate: ServerDate?
        /// Whether everything is fetched once more, because deletions were missed.
        public var isFull: Bool
        /// Whether all local ids are compared with the server's at the end.
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
