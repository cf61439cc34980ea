/// A store whose edits can be uploaded.
public protocol UploadStore: SyncStore {
    /// Records with edits that the server lacks, the oldest first.
    func dirtyRecords(of object: String) async throws -> [LocalRecord]

    /// Stores the outcome of an upload in one transaction.
    ///
    /// A merge does not change a record with edits, but the regular sync moves its mark past the server's version. So a
    /// record that becomes clean, and whose version may lie before the mark, is kept as a hint. Neither a full list nor a
    /// log-out drops that hint (`PendingList.keepBehindMark(_:of:)`).
    ///
    /// - Parameter sent: The record as it was sent. Edits made since then stay dirty.
    func uploaded(_ sent: LocalRecord, _ outcome: UploadOutcome, of object: String) async throws
}
