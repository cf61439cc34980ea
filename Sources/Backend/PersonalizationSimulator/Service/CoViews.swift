/// How many people viewed two items.
struct CoViews: Sendable {
    private var counts: [String: [String: Int]] = [:]

    /// Counts the pairs of a person's items, or takes them back.
    mutating func add(_ items: [String], _ sign: Int = 1) {
        for (index, left) in items.enumerated() {
            for right in items[(index + 1)...] { add(left, right, sign) }
        }
    }

    /// Counts the pairs of one item with a person's others.
    mutating func add(_ item: String, with others: [String], _ sign: Int = 1) {
        for other in others { add(item, other, sign) }
    }

    private mutating func add(_ left: String, _ right: String, _ sign: Int) {
        for (first, second) in [(left, right), (right, left)] {
            let count = (counts[first]?[second] ?? 0) + sign
            counts[first, default: [:]][second] = count > 0 ? count : nil
        }
    }

    /// For each item that was viewed by the same people as this one, by how many.
    func with(_ item: String) -> [String: Int] { counts[item] ?? [:] }
}
