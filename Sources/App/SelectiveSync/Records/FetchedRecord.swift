public import PushDispatch

/// The server's answer about one record.
public enum FetchedRecord: Hashable, Sendable {
    case record(ServerRecord)
    /// Deleted, never created, or not visible to this user.
    case missing(RecordID)
    /// Does not match the filter of its object, or is missing.
    case outOfScope(RecordID)
    /// In the list of deleted records.
    case deleted(RecordID, at: ServerDate)

    public var id: RecordID {
        switch self {
        case .record(let record): record.id
        case .missing(let id), .outOfScope(let id), .deleted(let id, _): id
        }
    }

    /// The stamps of the record; empty if there is no record.
    package var stamps: Stamps {
        if case .record(let record) = self { Stamps(record.fields) } else { Stamps() }
    }

    /// Whether the server shows the record.
    var isPresent: Bool {
        if case .record = self { true } else { false }
    }
}
