/// A record while a store changes it (`UploadStore.change(_:of:in:_:)`).
public struct RecordChange: Hashable, Sendable {
    /// Nil if there is none, before or after the change.
    public var record: LocalRecord?
    /// The store keeps the record as a hint, so that the next pass fetches it.
    public var isFetchedAgain = false
    /// Local keys that the record's fields refer to and that no record has.
    public package(set) var missingReferences: Set<RecordKey> = []

    public init(_ record: LocalRecord?) { self.record = record }
}
