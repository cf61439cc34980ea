/// Where hints wait whose records are not stored yet. A real one survives the end of the process.
public protocol PendingStore: Sendable {
    /// Keeps the records of a hint; a record already there moves to the end. Returns once it is safe.
    func keep(_ hint: Hint) async throws

    /// What waits for `object`, oldest first.
    func pending(of object: String) async throws -> PendingRecords

    /// Drops records that are stored now, unless they were kept anew after `mark`: such a hint is younger than the
    /// answer that was stored.
    func forget(_ records: [RecordID], of object: String, upTo mark: PendingMark) async throws
}
