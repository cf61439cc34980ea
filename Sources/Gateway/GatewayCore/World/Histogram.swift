import APNSModel

/// Counts values by ranges whose ends are fixed.
package struct Histogram: Hashable, Sendable {
    /// The largest value of each range but the last, which has none.
    package let bounds: [Int64]
    /// How many values fell into each range.
    package private(set) var counts: [UInt64]
    /// Of all values.
    package private(set) var sum: Int64 = 0

    package init(bounds: [Int64]) {
        self.bounds = bounds
        counts = [UInt64](repeating: 0, count: bounds.count + 1)
    }

    package var total: UInt64 { counts.reduce(0, +) }

    package mutating func add(_ value: Int64) {
        var index = 0
        while index < bounds.count, value > bounds[index] { index += 1 }
        counts[index] += 1
        sum &+= value
    }
}

/// A histogram of accepted requests, and one for each reason of refused ones.
package struct HistogramsByReason: Hashable, Sendable {
    package private(set) var accepted: Histogram
    /// By the code of the reason; all beyond the first `RequestCounts.maximumReasons` reasons are under `otherReasons`.
    package private(set) var refused: [String: Histogram] = [:]

    init(bounds: [Int64]) { accepted = Histogram(bounds: bounds) }

    /// Microseconds.
    static let times = HistogramsByReason(bounds: [
        50, 100, 250, 500, 1000, 2500, 5000, 10_000, 50_000, 250_000, 1_000_000, 5_000_000, 30_000_000,
    ])
    /// Bytes. 4,096 and 5,120 are the limits of most payloads and of VoIP.
    static let sizes = HistogramsByReason(bounds: [128, 256, 512, 1024, 2048, 4096, 5120, 8192])

    mutating func add(_ value: Int64, _ outcome: Verdict.Outcome) {
        switch outcome {
        case .accepted: accepted.add(value)
        case .refused(let reason, _):
            let isNamed = refused[reason.code] != nil || refused.count < RequestCounts.maximumReasons
            refused[isNamed ? reason.code : RequestCounts.otherReasons, default: Histogram(bounds: accepted.bounds)]
                .add(value)
        case .unprocessed: break
        }
    }
}
