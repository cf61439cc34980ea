/// A store that reports its changes, whether they come from a push, a regular sync or the user.
///
/// Each sequence starts with the current value. A slow reader misses intermediate values, but never the last one. A sequence
/// ends when its task is cancelled or the store fails.
public protocol ObservableStore: UploadStore {
    /// The records of an object, in the order of their keys.
    func observe(_ object: String, limit: Int) -> AsyncThrowingStream<[LocalRecord], any Error>

    /// One record; nil while it does not exist. A record that was created on this device is also observed under its former
    /// key.
    func observe(_ key: RecordKey, of object: String) -> AsyncThrowingStream<LocalRecord?, any Error>

    /// The conflicts of an object that wait for a decision.
    func observeConflicts(of object: String) -> AsyncThrowingStream<[RecordConflict], any Error>

    /// What waits, over all objects.
    func observeCounts() -> AsyncThrowingStream<StoreCounts, any Error>
}

/// What waits in a store, over all objects.
public struct StoreCounts: Hashable, Sendable {
    /// Records that pushes have named and that are not fetched yet.
    public var pending: Int
    /// Records with edits that the server lacks, conflicts among them.
    public var unsent: Int
    public var conflicts: Int
    /// Records with edits whose last upload failed (`LocalRecord.lastError`).
    public var failed: Int

    public init(pending: Int = 0, unsent: Int = 0, conflicts: Int = 0, failed: Int = 0) {
        self.pending = pending
        self.unsent = unsent
        self.conflicts = conflicts
        self.failed = failed
    }
}

extension ObservableStore {
    public func observe(_ object: String) -> AsyncThrowingStream<[LocalRecord], any Error> {
        observe(object, limit: .max)
    }
}
