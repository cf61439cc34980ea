/// A binary heap: inserting an element and removing the smallest take logarithmic time.
package struct Heap<Element: Comparable> {
    /// No element is smaller than its parent, which is at half its index.
    @usableFromInline var elements: [Element]

    /// - Parameter elements: In any order.
    @inlinable
    package init(_ elements: [Element] = []) { self.elements = elements.sorted() }  // a sorted array is a heap

    @inlinable
    package var count: Int { elements.count }

    /// The smallest.
    @inlinable
    package var first: Element? { elements.first }

    @inlinable
    package mutating func insert(_ element: Element) {
        elements.append(element)
        var index = elements.count - 1
        while index > 0, elements[index] < elements[(index - 1) / 2] {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Removes the smallest; nil for an empty heap.
    @inlinable
    package mutating func removeFirst() -> Element? {
        guard let first = elements.first else { return nil }
        elements.swapAt(0, elements.count - 1)
        elements.removeLast()
        var index = 0
        while true {
            var least = index
            let (left, right) = (2 * index + 1, 2 * index + 2)
            if left < elements.count, elements[left] < elements[least] { least = left }
            if right < elements.count, elements[right] < elements[least] { least = right }
            guard least != index else { return first }
            elements.swapAt(index, least)
            index = least
        }
    }

    @inlinable
    package mutating func removeAll(where isMeant: (Element) -> Bool) {
        elements.removeAll(where: isMeant)
        elements.sort()
    }
}

extension Heap: Sendable where Element: Sendable {}
