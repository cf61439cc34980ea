/// A store that answers queries. All stores answer the same query with the same records in the same order.
public protocol QueryableStore: ObservableStore {
    /// - Throws: `RecordQueryError` for a query that no store can answer.
    func records(_ query: RecordQuery) async throws -> RecordPage

    /// How many records the condition of a query finds, whatever its limit, offset and place.
    ///
    /// - Throws: `RecordQueryError`.
    func count(_ query: RecordQuery) async throws -> Int

    /// The result of a query now and after each change of it.
    ///
    /// A change of records that are not in the result costs little, and nothing is delivered. A slow reader misses intermediate
    /// results, but never the last one. The sequence ends when its task is cancelled, and throws what `records(_:)` throws.
    func observe(_ query: RecordQuery) -> AsyncThrowingStream<RecordList, any Error>
}
