/// How a regular sync of one object ended.
public struct RegularSyncReport: Hashable, Sendable {
    /// `done`, `stopped` (no time left, cancelled, or no user), `failed`, or `running` where another call syncs the object.
    public var state: SyncState
    /// Records inserted, changed, marked or removed.
    public var changed = 0
    public var requests = 0
    public var error: FetchError?

    public init(_ state: SyncState) { self.state = state }
}
