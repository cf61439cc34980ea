/// A list with a row for each item. The numbers of the rows ascend.
struct StoredList<Item: Equatable & Sendable> {
    private(set) var items: [Item] = []
    private(set) var numbers: [Int] = []
    private var next = 0

    init() {}

    /// A list from its rows.
    init(items: [Item], numbers: [Int]) {
        self.items = items
        self.numbers = numbers
        next = (numbers.last ?? -1) + 1
    }

    /// The changes of the rows.
    struct Steps {
        var removed: [Int] = []
        var added: [(number: Int, item: Item)] = []
    }

    /// Changes it to the list `new`. Each removed item, and each item added at the end, changes one row.
    mutating func become(_ new: [Item]) -> Steps {
        var steps = Steps()
        var (kept, place) = ([Int](), 0)
        kept.reserveCapacity(new.count)
        for item in new {
            while place < items.count, items[place] != item {
                steps.removed.append(numbers[place])
                place += 1
            }
            if place < items.count {
                kept.append(numbers[place])
                place += 1
            } else {
                steps.added.append((next, item))
                kept.append(next)
                next += 1
            }
        }
        steps.removed += numbers[place...]
        (items, numbers) = (new, kept)
        return steps
    }
}
