/// Entries in order with their numbers. Above the limit the oldest is dropped and counted.
package struct BoundedLog<Element: Sendable>: Sendable {
    private var storage: [Element] = []
    /// The position of the oldest entry; what is before it is removed from time to time.
    private var head = 0
    package private(set) var limit: Int
    /// How many entries were dropped; also the number of the oldest entry.
    package private(set) var dropped = 0
    /// Numbers of new and changed entries; nil while nobody takes them.
    private var changed: Set<Int>?

    package init(limit: Int) { self.limit = max(1, limit) }

    package var count: Int { storage.count - head }

    package var entries: ArraySlice<Element> { storage[head...] }

    /// The number of the next entry.
    package var nextNumber: Int { dropped + count }

    /// - Returns: The number of the entry, and the entry that was dropped for it.
    @discardableResult
    package mutating func append(_ element: Element) -> (number: Int, dropped: Element?) {
        let number = nextNumber
        storage.append(element)
        changed?.insert(number)
        return (number, count > limit ? dropOldest() : nil)
    }

    package mutating func dropOldest() -> Element? {
        guard count > 0 else { return nil }
        let oldest = storage[head]
        head += 1
        dropped += 1
        if head > 1_024, head > storage.count / 2 {
            storage.removeFirst(head)
            head = 0
        }
        return oldest
    }

    /// - Returns: The entries that were dropped because they are above the new limit, oldest first.
    package mutating func lower(to limit: Int) -> [Element] {
        self.limit = max(1, limit)
        return (0..<max(0, count - self.limit)).compactMap { _ in dropOldest() }
    }

    /// Changes the entry with this number; does nothing for a dropped one.
    package mutating func change(_ number: Int, _ body: (inout Element) -> Void) {
        guard number >= dropped, number < nextNumber else { return }
        changed?.insert(number)
        body(&storage[head + number - dropped])
    }

    package subscript(number: Int) -> Element? {
        number >= dropped && number < nextNumber ? storage[head + number - dropped] : nil
    }

    package mutating func track(_ mode: ChangeTracking) { changed = mode.first(Set(dropped..<nextNumber)) }

    /// The numbers of new and changed entries that are still here, in order.
    package mutating func takeChanges() -> [Int] {
        guard let numbers = changed, !numbers.isEmpty else { return [] }
        changed = []
        return numbers.filter { $0 >= dropped }.sorted()
    }

    /// An empty log that goes on after entries that were dropped.
    package init(limit: Int, dropped: Int) {
        self.init(limit: limit)
        self.dropped = max(0, dropped)
    }
}

/// Ids that were seen; the oldest is forgotten above the limit.
package struct RecentIDs: Sendable {
    private var ids: Set<String> = []
    package private(set) var order: BoundedLog<String>

    package init(limit: Int, forgotten: Int = 0) { order = BoundedLog(limit: limit, dropped: forgotten) }

    package var forgotten: Int { order.dropped }

    package func contains(_ id: String) -> Bool { ids.contains(id) }

    /// - Returns: False if the id was there.
    @discardableResult
    package mutating func insert(_ id: String) -> Bool {
        guard ids.insert(id).inserted else { return false }
        if let oldest = order.append(id).dropped { ids.remove(oldest) }
        return true
    }

    package mutating func track(_ mode: ChangeTracking) { order.track(mode) }
    package mutating func takeChanges() -> [Int] { order.takeChanges() }
}
