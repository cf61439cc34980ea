public import EventDelivery

/// Entries of the delivery service with their links replaced, and where they come from.
public struct FetchedEntries: Hashable, Sendable {
    public enum Source: Hashable, Sendable {
        case network
        /// The service could not be reached; why, and how old the entries are.
        case cache(ageMilliseconds: Int64, DeliveryError)
    }

    public var entries: [ContentEntry]
    /// Links that are still links, with the reason.
    public var unreplaced: [UnreplacedLink]
    /// What of the reply was left out.
    public var issues: [ReadingIssue]
    public var source: Source
    /// When the service answered.
    public var time: EventTime
    /// False if the query has more entries than are fetched.
    public var isComplete: Bool

    init(_ reply: DeliveryReply, source: Source, time: EventTime, isComplete: Bool) {
        (entries, unreplaced) = reply.linkedEntries()
        issues = reply.issues
        self.source = source
        self.time = time
        self.isComplete = isComplete
    }

    public subscript(id: String) -> ContentEntry? { entries.first { $0.id == id } }
}
