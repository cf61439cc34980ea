/// Where an app keeps its records.
public protocol RecordStore: Sendable {
    /// Takes in a fetch as one transaction, all or nothing. Dirty records stay as they are, older copies are skipped,
    /// missing records are removed; the high-water mark of the regular sync is not touched.
    func merge(_ fetched: [FetchedRecord], of object: String) async throws -> MergeCounts
}
