/// How many people viewed two items.
struct CoViews: Sendable {
    private var counts: [String: [String: Int]] = [:]
    private let limit: Int
    /// Pairs of items, in both directions.
    private(set) var pairs = 0
    /// Pairs that were not counted, because there were too many others.
    private(set) var dropped = 0

    init(limit: Int) { self.limit = limit }

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
        let old = counts[left]?[right]
        let count = (old ?? 0) + sign
        if old == nil, count > 0 {
            guard pairs + 2 <= limit else {
                dropped += 1
                return
            }
            pairs += 2
        } else if old != nil, count <= 0 {
            pairs -= 2
        }
        for (first, second) in [(left, right), (right, left)] {
            counts[first, default: [:]][second] = count > 0 ? count : nil
        }
    }

    /// For each item that was viewed by the same people as this one, by how many.
    func with(_ item: String) -> [String: Int] { counts[item] ?? [:] }
}
