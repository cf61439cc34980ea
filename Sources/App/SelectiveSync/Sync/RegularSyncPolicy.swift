/// The bounds of a regular sync.
public struct RegularSyncPolicy: Hashable, Sendable {
    /// How far behind the mark a pass begins. One millisecond brings the records that bear the mark itself once more,
    /// because others may have been changed in the same millisecond after they were read. An org whose transactions
    /// take long needs as many milliseconds more.
    public var overlapMilliseconds: Int64 = 1
    /// How often all local ids are compared with the server's, which finds records that this user may not see any more.
    public var ghostIntervalMilliseconds: Int64 = 86_400_000
    /// Ids in one comparison.
    public var ghostBatch = 500
    /// A wish to the server.
    public var pageSize = 2_000
    /// A pass with more pages is broken off as a fault of the server.
    public var maximumPages = 10_000

    public init() {}
}
