/// A record whose fetch is outstanding, and when the newest hint for it was kept.
public struct PendingRecord: Hashable, Sendable, Codable {
    public var record: RecordID
    public var mark: PendingMark

    public init(_ record: RecordID, mark: PendingMark) {
        self.record = record
        self.mark = mark
    }
}
