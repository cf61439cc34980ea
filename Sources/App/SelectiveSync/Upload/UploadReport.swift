/// How an upload of one object's edits ended.
public struct UploadReport: Hashable, Sendable {
    /// `done`, `stopped` (no time left, or cancelled) or `failed`.
    public var state: SyncState
    /// Records that are clean now, or gone here as they are at the server.
    public var uploaded = 0
    /// Left alone and still dirty, because the server's copy has changed since: the app has to ask its user.
    public var conflicts: [RecordKey] = []
    /// Refused by the server, which `LocalRecord.lastError` tells.
    public var refused: [RecordKey] = []
    public var requests = 0
    public var error: FetchError?

    public init(_ state: SyncState) { self.state = state }
}
