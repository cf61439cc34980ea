/// Stores hints whose records are not fetched and stored yet. Except for tests it should outlive the process.
public protocol PendingStore: Sendable {
    /// Keeps the records of a hint. A record that is there already moves to the end. Returns when the hint is stored. A
    /// hint that names an object and no record requests a regular sync of that object.
    ///
    /// - Returns: The mark of the hint; nil if the list was full, and the records of one object were replaced with a
    ///   regular sync of that object.
    @discardableResult
    func keep(_ hint: Hint) async throws -> PendingMark?

    /// The pending records of `object`, oldest first.
    ///
    /// - Parameter mark: Only records kept after this; nil for all.
    func pending(of object: String, after mark: PendingMark?) async throws -> [PendingRecord]

    /// Removes records that have been stored, unless a newer hint for them was kept meanwhile: the stored answer may be
    /// older than that hint.
    func forget(_ records: [PendingRecord], of object: String) async throws

    /// Removes all hints, because their user has logged out.
    ///
    /// A store of records keeps the entries that it made itself for records that no regular sync fetches, in case the
    /// same user logs in again. It removes them with the records when another user logs in.
    func forgetAll() async throws
}

extension PendingStore {
    /// All pending records of `object`, oldest first.
    public func pending(of object: String) async throws -> [PendingRecord] {
        try await pending(of: object, after: nil)
    }
}
