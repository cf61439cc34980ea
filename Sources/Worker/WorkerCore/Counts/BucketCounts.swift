/// A histogram with fixed bounds.
package struct BucketCounts: Hashable, Sendable {
    /// The upper bounds in seconds; a last bucket has everything above.
    package let bounds: [Double]
    /// One more than bounds.
    package private(set) var counts: [Int]
    package private(set) var sum = 0.0

    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = [Int](repeating: 0, count: bounds.count + 1)
    }

    package mutating func add(_ seconds: Double) {
        sum += seconds
        var index = 0
        while index < bounds.count, seconds > bounds[index] { index += 1 }
        counts[index] += 1
    }

    package var total: Int { counts.reduce(0, +) }

    /// The bound below which this part of the values is; nil without values, infinite above the last bound.
    package func quantile(_ part: Double) -> Double? {
        let total = total
        guard total > 0 else { return nil }
        var left = (Double(total) * part).rounded(.up)
        for (index, count) in counts.enumerated() {
            left -= Double(count)
            if left <= 0 { return index < bounds.count ? bounds[index] : .infinity }
        }
        return .infinity
    }
}
