/// A store whose records the user can edit.
///
/// An app calls `edit`, `create`, `delete`, `resolve` and `discardEdits` of a `StoreSession`. Each reads a record, changes it and
/// writes it in one transaction, so that nothing can come between a screen's copy and the store.
public protocol UploadStore: SyncStore {
    /// The record with this key. A record that was created on this device is also found under its former key.
    func record(_ key: RecordKey, of object: String) async throws -> LocalRecord?

    /// Records with edits that the server lacks, the oldest first.
    func dirtyRecords(of object: String) async throws -> [LocalRecord]

    /// The present generation. It is read and compared in the same transactions as the records.
    func generation() async throws -> StoreGeneration

    /// Reads records, changes them and writes them, all in one transaction. For the sync and for stores; an app edits with
    /// `StoreSession`, which keeps the version that an edit was made of.
    ///
    /// - Parameters:
    ///   - generation: The one in which the change was begun.
    ///   - body: Called once for each key. If it throws, nothing is written.
    /// - Throws: `SyncStoreError.otherUser` if the store has another generation by now, `keyTaken` for a new record whose local
    ///   key any record has.
    func change<Value: Sendable>(
        _ keys: [RecordKey], of object: String, in generation: StoreGeneration,
        _ body: @Sendable @escaping (inout RecordChange) throws -> Value
    ) async throws -> [Value]

    /// Stores the outcome of an upload in one transaction. Where a record gets its id, the references to its former key follow,
    /// in the edits of all objects.
    ///
    /// A record that becomes clean, and whose version may lie before the mark of the regular sync, is kept as a hint, unless the
    /// outcome contains that version. Neither a full list nor a log-out drops that hint (`PendingList.keepBehindMark(_:of:)`).
    ///
    /// - Parameters:
    ///   - sent: The record as it was sent. Edits made since then stay dirty.
    ///   - generation: The one from which the record was sent.
    /// - Throws: `SyncStoreError.otherUser` if the store has another generation by now.
    func uploaded(
        _ sent: LocalRecord, _ outcome: UploadOutcome, of object: String, in generation: StoreGeneration
    ) async throws
}
