public import PushDispatch

/// Where an app keeps its records, and with them all that has to agree with them: the hints not served yet and the mark
/// of the regular sync.
///
/// A sync asks for one `merge`, `uploaded` or `logIn` at a time; the next one comes when that has returned. Everything else
/// may come meanwhile.
public protocol SyncStore: PendingStore {
    /// Takes in a batch as one transaction, all or nothing: records, hints and progress.
    ///
    /// Dirty records stay as they are, older copies are skipped, missing records are removed or marked, by the rules of
    /// the batch. Progress that says `done` takes back the wish for a regular sync, if that was older.
    ///
    /// - Throws: `SyncStoreError.otherUser` where the batch is for another user than the store.
    func merge(_ batch: MergeBatch) async throws -> MergeResult

    /// How far the regular sync of `object` is; a new one where there was none.
    func progress(of object: String) async throws -> SyncProgress

    /// How far the pending list has grown.
    func pendingMark() async throws -> PendingMark

    /// Objects that need a regular sync: hints had to be dropped, or named no record.
    func objectsToSync() async throws -> Set<String>

    /// Ids of clean records, in the order of their ids, for finding those that the server does not show any more.
    ///
    /// - Parameter id: Only those behind it; nil for the first.
    func cleanRecords(of object: String, after id: RecordID?, limit: Int) async throws -> [RecordID]

    /// Whose records these are; nil until somebody logs in.
    func user() async throws -> String?

    /// Hands the store to `user`. The same user again changes nothing. For another one, records, hints and marks are
    /// removed.
    ///
    /// - Throws: `SyncStoreError.unsentEdits` where that would lose edits, unless they may be lost.
    func logIn(_ user: String, discardingEdits: Bool) async throws
}
