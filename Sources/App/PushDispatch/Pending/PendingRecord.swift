/// A record to be fetched, and the mark of the newest hint for it.
public struct PendingRecord: Hashable, Sendable, Codable {
    public var record: RecordID
    public var mark: PendingMark

    public init(_ record: RecordID, mark: PendingMark) {
        self.record = record
        self.mark = mark
    }
}
