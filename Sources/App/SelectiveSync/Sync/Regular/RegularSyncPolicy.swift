/// The settings of a regular sync.
public struct RegularSyncPolicy: Hashable, Sendable {
    /// How far before the mark a pass looks for changes and deletions that were committed late. A record gets its date when
    /// it is saved and becomes visible when its transaction ends, so this should be the duration of the longest
    /// transactions of the org. The pass asks for ids and dates of this span only, and fetches the records that the store
    /// does not have in this version.
    public var overlapMilliseconds: Int64 = 600_000
    /// The interval between comparisons of all ids, in both directions. A comparison finds records that the user may no
    /// longer see, and those that the user may see since, without a change of the record.
    public var ghostIntervalMilliseconds: Int64 = 86_400_000
    /// Ids in one request of a comparison, and of the records that a list of ids shows as changed.
    public var ghostBatch = 500
    /// The preferred number of records on a page. The server may return others.
    public var pageSize = 2_000
    /// A pass with more pages fails: the server repeats itself.
    public var maximumPages = 10_000

    public init() {}
}
