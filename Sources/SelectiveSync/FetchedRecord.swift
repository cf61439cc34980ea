public import PushDispatch

/// The answer to one id of a fetch.
public enum FetchedRecord: Hashable, Sendable {
    case record(ServerRecord)
    /// Deleted, never there, or not visible to this user.
    case missing(RecordID)

    public var id: RecordID {
        switch self {
        case .record(let record): record.id
        case .missing(let id): id
        }
    }
}
