/// A store that edits are uploaded from.
public protocol UploadStore: SyncStore {
    /// Records with edits that the server lacks, the oldest first.
    func dirtyRecords(of object: String) async throws -> [LocalRecord]

    /// Takes in what an upload came to, as one transaction.
    ///
    /// A merge leaves a record with edits alone, and the mark of a regular sync goes past the server's copy all the same.
    /// So a record that is clean now, and whose copy may have been passed, is kept as a hint that neither gives way nor goes
    /// at a log-out (`PendingList.keepBehindMark(_:of:)`).
    ///
    /// - Parameter sent: The record as it was sent: edits made since then stay dirty.
    func uploaded(_ sent: LocalRecord, _ outcome: UploadOutcome, of object: String) async throws
}
