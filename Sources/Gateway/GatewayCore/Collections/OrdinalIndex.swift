/// Elements in the order of their ordinals, for pages of a list: finding the first one after an ordinal takes logarithmic
/// time, so that a list of 100,000 is not searched and sorted for one page.
///
/// Ordinals are only ever added in ascending order. What is removed stays until it is half of all.
struct OrdinalIndex<Element: Hashable & Sendable>: Sendable {
    private var entries: [(ordinal: UInt64, element: Element)] = []
    private var removedCount = 0

    /// The memory of an element in bytes, twice because of the removed ones.
    static var bytesPerElement: Int { 2 * MemoryLayout<(UInt64, Element)>.stride }

    mutating func append(_ element: Element, _ ordinal: UInt64) { entries.append((ordinal, element)) }

    /// An element was removed.
    ///
    /// - Parameter isCurrent: Whether an element still has this ordinal.
    mutating func noteRemoval(_ isCurrent: (Element, UInt64) -> Bool) {
        removedCount += 1
        guard removedCount > 64, 2 * removedCount > entries.count else { return }
        entries.removeAll { !isCurrent($0.element, $0.ordinal) }
        removedCount = 0
    }

    /// The first elements after an ordinal.
    ///
    /// - Parameters:
    ///   - ordinal: Nil begins with the first element.
    ///   - isMeant: False for an element that was removed or is not wanted.
    func elements(
        after ordinal: UInt64?, limit: Int, where isMeant: (Element, UInt64) -> Bool
    ) -> [Element] {
        var found: [Element] = []
        var index = ordinal.map { first(after: $0) } ?? 0
        while index < entries.count, found.count < limit {
            let (ordinal, element) = entries[index]
            if isMeant(element, ordinal) { found.append(element) }
            index += 1
        }
        return found
    }

    private func first(after ordinal: UInt64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].ordinal <= ordinal { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
