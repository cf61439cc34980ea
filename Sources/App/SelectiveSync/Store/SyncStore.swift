public import PushDispatch

/// Stores the records of an app together with what has to be consistent with them: the pending hints and the progress of
/// the regular sync.
///
/// A sync makes one call of `merge`, `uploaded` or `logIn` at a time and waits until it returns. All other calls can come
/// meanwhile.
public protocol SyncStore: PendingStore {
    /// Stores a batch in one transaction: records, hints and progress.
    ///
    /// By the rules of the batch, the server's version is merged into dirty records field by field, older versions are skipped, and
    /// missing records are removed or marked. Progress with the state `done` removes the object from `objectsToSync()`, if it was added earlier than the
    /// pass started.
    ///
    /// - Throws: `SyncStoreError.otherUser` if the batch was fetched for another user, or in another generation.
    func merge(_ batch: MergeBatch) async throws -> MergeResult

    /// The progress of the regular sync of `object`; a new value if there is none.
    func progress(of object: String) async throws -> SyncProgress

    /// The mark of the newest hint.
    func pendingMark() async throws -> PendingMark

    /// Objects that need a regular sync, because hints were dropped or named no record.
    func objectsToSync() async throws -> Set<String>

    /// The ids of clean records in ascending order, to find those that the server no longer shows.
    ///
    /// - Parameter id: Only ids after this one; nil starts with the first.
    func cleanRecords(of object: String, after id: RecordID?, limit: Int) async throws -> [RecordID]

    /// The versions of the records that the store has, also of those with edits. The others are missing from the result.
    func versions(of records: [RecordID], in object: String) async throws -> [RecordID: StoredVersion]

    /// The owner of the records; nil until a user logs in.
    func user() async throws -> String?

    /// Makes `user` the owner. If another user was the owner, all records, hints and marks are removed.
    ///
    /// - Throws: `SyncStoreError.unsentEdits` if edits would be lost and `discardingEdits` is false.
    func logIn(_ user: String, discardingEdits: Bool) async throws

    /// Deletes everything for good: records with their edits and conflicts, hints, progress and the owner. A process that ends
    /// meanwhile has deleted nothing, or finishes it the next time it opens the store.
    ///
    /// - Throws: `SyncStoreError.unsentEdits` if edits would be lost and `discardingEdits` is false. Nothing has changed then.
    func erase(discardingEdits: Bool) async throws
}
