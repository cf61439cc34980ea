/// How an upload of one object's edits ended.
public struct UploadReport: Hashable, Sendable {
    /// `done`, `stopped` (no time left, cancelled, or no user), `failed`, or `running` where another call uploads the object.
    public var state: SyncState
    /// Records that are clean or removed now.
    public var uploaded = 0
    /// Records that stay dirty because their edits contradict the server's version. The app has to ask its user
    /// (`LocalRecord.conflict`).
    public var conflicts: [RecordKey] = []
    /// Records that the server refused, and those whose own calls fail, also while they wait for the next try.
    /// `LocalRecord.lastError` has the reason.
    public var refused: [RecordKey] = []
    /// Records that refer to a record without an id, and are uploaded after it.
    public var waiting: [RecordKey] = []
    public var requests = 0
    public var error: FetchError?

    public init(_ state: SyncState) { self.state = state }

    mutating func refuse(_ keys: [RecordKey]) { refused += keys.filter { !refused.contains($0) } }

    /// Adds a later upload of the same object.
    mutating func add(_ later: UploadReport) {
        uploaded += later.uploaded
        requests += later.requests
        conflicts += later.conflicts.filter { !conflicts.contains($0) }
        refuse(later.refused)
        (state, waiting, error) = (later.state, later.waiting, later.error ?? error)
    }
}
