/// A pending store that lives as long as the process: for tests, and for apps that sync at every launch anyway.
public actor MemoryPendingStore: PendingStore {
    public private(set) var list: PendingList

    public init(_ list: PendingList = PendingList()) { self.list = list }

    public func keep(_ hint: Hint) { list.keep(hint) }

    public func pending(of object: String) -> PendingRecords { list.pending(of: object) }

    public func forget(_ records: [RecordID], of object: String, upTo mark: PendingMark) {
        list.forget(records, of: object, upTo: mark)
    }

    public func regularSyncFinished() { list.regularSyncFinished() }
}
