/// A queue whose both ends are cheap.
struct Fifo<Element: Sendable>: Sendable {
    private var elements: [Element?] = []
    private var first = 0

    var count: Int { elements.count - first }
    var isEmpty: Bool { first == elements.count }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func prepend(_ element: Element) {
        guard first == 0 else {
            first -= 1
            elements[first] = element
            return
        }
        elements.insert(contentsOf: [Element?](repeating: nil, count: 15) + [element], at: 0)
        first = 15
    }

    mutating func popFirst() -> Element? {
        guard first < elements.count else { return nil }
        let element = elements[first].take()
        first += 1
        if first == elements.count {
            elements.removeAll(keepingCapacity: elements.count <= 4096)
            first = 0
        } else if first >= 1024, first * 2 >= elements.count {
            elements.removeFirst(first)
            first = 0
        }
        return element
    }

    mutating func removeAll() -> [Element] {
        let rest = elements[first...].compactMap(\.self)
        elements = []
        first = 0
        return rest
    }
}
