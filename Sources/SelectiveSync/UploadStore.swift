/// A store that edits are uploaded from.
public protocol UploadStore: SyncStore {
    /// Records with edits that the server lacks, the oldest first.
    func dirtyRecords(of object: String) async throws -> [LocalRecord]

    /// Takes in what an upload came to, as one transaction.
    ///
    /// - Parameter sent: The record as it was sent: edits made since then stay dirty.
    func uploaded(_ sent: LocalRecord, _ outcome: UploadOutcome, of object: String) async throws
}
