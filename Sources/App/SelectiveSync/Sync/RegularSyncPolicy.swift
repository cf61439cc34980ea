/// The settings of a regular sync.
public struct RegularSyncPolicy: Hashable, Sendable {
    /// How far before the mark a pass starts. One millisecond fetches the records with the date of the mark again, because
    /// others may have changed in the same millisecond after they were read. Add the duration of the longest transactions
    /// of the org: a transaction commits late, with an earlier date.
    public var overlapMilliseconds: Int64 = 1
    /// The interval between comparisons of all local ids with the server's. A comparison finds records that the user may no
    /// longer see.
    public var ghostIntervalMilliseconds: Int64 = 86_400_000
    /// Ids in one request of a comparison.
    public var ghostBatch = 500
    /// The preferred number of records on a page. The server may return others.
    public var pageSize = 2_000
    /// A pass with more pages fails: the server repeats itself.
    public var maximumPages = 10_000

    public init() {}
}
