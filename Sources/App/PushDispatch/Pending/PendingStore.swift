/// Where hints wait whose records are not stored yet. A real one survives the end of the process.
public protocol PendingStore: Sendable {
    /// Keeps the records of a hint; a record already there moves to the end. Returns once it is safe. A hint that names an
    /// object and no record is the wish for a regular sync of that object.
    ///
    /// - Returns: How far the list has grown with it; nil where it was full, and the records of one object gave way to
    ///   a regular sync of that object.
    @discardableResult
    func keep(_ hint: Hint) async throws -> PendingMark?

    /// What waits for `object`, oldest first.
    ///
    /// - Parameter mark: Only what was kept later than this; nil for everything.
    func pending(of object: String, after mark: PendingMark?) async throws -> [PendingRecord]

    /// Drops records that are stored now, unless they were kept anew since: such a hint is younger than the answer that
    /// was stored.
    func forget(_ records: [PendingRecord], of object: String) async throws

    /// Drops all hints: the user logged out, and these were that user's. A store of records keeps those that it made itself
    /// because no regular sync would bring their records, for the case that the same user comes back; when another one
    /// logs in it drops them with the records.
    func forgetAll() async throws
}

extension PendingStore {
    /// Everything that waits for `object`, oldest first.
    public func pending(of object: String) async throws -> [PendingRecord] {
        try await pending(of: object, after: nil)
    }
}
