/// Entries in order with their numbers. Above the limit the oldest is dropped and counted.
package struct BoundedLog<Element: Sendable>: Sendable {
    private var storage: [Element] = []
    /// The position of the oldest entry; what is before it is removed from time to time.
    private var head = 0
    let limit: Int
    /// How many entries were dropped; also the number of the oldest entry.
    package private(set) var dropped = 0

    init(limit: Int) { self.limit = max(1, limit) }

    package var count: Int { storage.count - head }

    package var entries: ArraySlice<Element> { storage[head...] }

    /// - Returns: The number of the entry, and the entry that was dropped for it.
    @discardableResult
    mutating func append(_ element: Element) -> (number: Int, dropped: Element?) {
        storage.append(element)
        var oldest: Element?
        if count > limit {
            oldest = storage[head]
            head += 1
            dropped += 1
            if head > 1_024, head > storage.count / 2 {
                storage.removeFirst(head)
                head = 0
            }
        }
        return (dropped + count - 1, oldest)
    }

    /// Changes the entry with this number; does nothing for a dropped one.
    mutating func change(_ number: Int, _ body: (inout Element) -> Void) {
        guard number >= dropped, number < dropped + count else { return }
        body(&storage[head + number - dropped])
    }

    subscript(number: Int) -> Element? {
        number >= dropped && number < dropped + count ? storage[head + number - dropped] : nil
    }
}

/// Ids that were seen; the oldest is forgotten above the limit.
struct RecentIDs: Sendable {
    private var ids: Set<String> = []
    private var order: BoundedLog<String>

    init(limit: Int) { order = BoundedLog(limit: limit) }

    var forgotten: Int { order.dropped }

    func contains(_ id: String) -> Bool { ids.contains(id) }

    /// - Returns: False if the id was there.
    mutating func insert(_ id: String) -> Bool {
        guard ids.insert(id).inserted else { return false }
        if let oldest = order.append(id).dropped { ids.remove(oldest) }
        return true
    }
}
