public import PushDispatch

/// The progress of the regular sync of one object. The store keeps it together with the records.
public struct SyncProgress: Hashable, Sendable, Codable {
    public var state: SyncState
    /// The high-water mark: the store has every change that the server had committed with a date up to this one when a pass
    /// read it. Nil before the first pass has ended, and after deletions were missed. Only a regular sync moves it.
    public var mark: ServerDate?
    /// The store has every deletion up to this date.
    public var deletedCovered: ServerDate?
    /// Records that left the filter by a change up to this date are removed. Nil for an object without a filter.
    public var departuresCovered: ServerDate?
    /// When all local ids were last compared with the server's, by the device's clock.
    public var ghostsChecked: ServerDate?
    /// What the records up to the mark were fetched with. Nil before the first pass, and in the progress of an earlier version
    /// of this library.
    public var scope: SyncScope?
    /// The pass that is running or was interrupted; nil if the last one has ended.
    public var pass: Pass?
    /// The last finished pass serves all hints up to this mark that were dropped.
    public var served: PendingMark?
    /// When the last pass that has finished began, by the device's clock; nil before the first.
    public var lastSync: ServerDate?

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
        /// The mark of the pending list when the pass started. The pass serves all hints up to it that were dropped.
        public var pending: PendingMark
        /// When the pass started, by the device's clock.
        public var began: ServerDate
        /// The time of the server's clock when it made the first page. Later changes may be missing from the pages.
        public var serverDate: ServerDate?
        /// Whether everything is fetched once more, because deletions were missed.
        public var isFull: Bool
        /// Whether all local ids are compared with the server's at the end.
        public var wantsComparison: Bool
        public var step: Step

        enum CodingKeys: String, CodingKey {
            case pending, began, serverDate, isFull, wantsComparison, step
        }

        package init(pending: PendingMark, began: ServerDate, wantsComparison: Bool, step: Step = .query(PageChain())) {
            self.pending = pending
            self.began = began
            self.wantsComparison = wantsComparison
            self.step = step
            isFull = false
        }
    }

    /// The request that a pass makes next, in the order of the cases.
    public enum Step: Hashable, Sendable, Codable {
        /// Ids and dates of the records up to the mark, to find those that were committed behind it.
        case list(Listing)
        /// The records after the mark, with all fields.
        case query(PageChain)
        /// Ids and dates of what changed, without the filter, to find records that have left it.
        case departures
        case deletions
        /// The local ids after this one; nil for all.
        case compare(after: RecordID?)
    }

    /// A list of ids and dates.
    public struct Listing: Hashable, Sendable, Codable {
        /// Only records changed later; nil for all. It moves while the records are sorted.
        public var after: ServerDate?
        /// The mark when the pass started. Later records are fetched by the query.
        public var mark: ServerDate
        /// Whether the list contains later records. Without them the pass needs no query.
        public var hasLater = false
        public var pages = PageChain()
    }
}

extension SyncProgress.Step {
    mutating func forgetRefusals() {
        switch self {
        case .list(var listing):
            listing.pages.refusals = 0
            self = .list(listing)
        case .query(var pages):
            pages.refusals = 0
            self = .query(pages)
        case .departures, .deletions, .compare: break
        }
    }

    /// The number of records on the pages received so far, and on all pages; nil between two queries.
    var received: (records: Int, total: Int?)? {
        let place: PageChain.Place? =
            switch self {
            case .list(let listing): listing.pages.place
            case .query(let pages): pages.place
            case .departures, .deletions, .compare: nil
            }
        guard case .next(let link)? = place else { return nil }
        return (link.received, link.total)
    }
}
