import PushDispatch

/// A record as the device has it.
public struct LocalRecord: Hashable, Sendable {
    /// A change made here that the server does not have yet (selective-sync.md 7.1).
    public enum Change: String, Hashable, Sendable {
        case created, updated, deleted
    }

    /// The last state from the server, with the user's edits in it.
    public var record: ServerRecord
    /// Nil for a clean record; anything else makes it dirty, and no fetch touches it.
    public var change: Change?

    public init(_ record: ServerRecord, change: Change? = nil) {
        self.record = record
        self.change = change
    }

    public var isDirty: Bool { change != nil }
}
