/// A pending store in memory: for tests, and for apps that sync at every launch anyway.
public actor MemoryPendingStore: PendingStore {
    public private(set) var list: PendingList

    public init(_ list: PendingList = PendingList()) { self.list = list }

    @discardableResult
    public func keep(_ hint: Hint) -> PendingMark? { list.keep(hint) }

    public func pending(of object: String, after mark: PendingMark?) -> [PendingRecord] {
        list.pending(of: object, after: mark)
    }

    public func forget(_ records: [PendingRecord], of object: String) { list.forget(records, of: object) }

    public func forgetAll() { list.forgetAll() }
}
