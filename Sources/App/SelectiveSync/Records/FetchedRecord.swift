public import PushDispatch

/// What the server said about one record.
public enum FetchedRecord: Hashable, Sendable {
    case record(ServerRecord)
    /// Deleted, never there, or not visible to this user.
    case missing(RecordID)
    /// In the list of what was deleted, and when.
    case deleted(RecordID, at: ServerDate)

    public var id: RecordID {
        switch self {
        case .record(let record): record.id
        case .missing(let id), .deleted(let id, _): id
        }
    }

    /// Of the record; none where there is no record.
    package var stamps: Stamps {
        if case .record(let record) = self { Stamps(record.fields) } else { Stamps() }
    }

    /// Whether the server shows the record.
    var isPresent: Bool {
        if case .record = self { true } else { false }
    }
}
