/// What a pending list held when it was read.
public struct PendingRecords: Hashable, Sendable {
    public var records: [RecordID]
    public var mark: PendingMark

    public init(records: [RecordID], mark: PendingMark) {
        self.records = records
        self.mark = mark
    }
}
