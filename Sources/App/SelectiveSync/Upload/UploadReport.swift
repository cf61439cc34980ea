/// How an upload of one object's edits ended.
public struct UploadReport: Hashable, Sendable {
    /// `done`, `stopped` (no time left, cancelled, or no user), `failed`, or `running` where another call uploads the object.
    public var state: SyncState
    /// Records that are clean or removed now.
    public var uploaded = 0
    /// Records that stay dirty because the server's version has changed. The app has to ask its user.
    public var conflicts: [RecordKey] = []
    /// Records that the server refused. `LocalRecord.lastError` has the reason.
    public var refused: [RecordKey] = []
    public var requests = 0
    public var error: FetchError?

    public init(_ state: SyncState) { self.state = state }
}
