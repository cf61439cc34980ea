/// Which variant of an experience a profile gets (docs/reference/personalization.md 10.2).
package struct Allocation: Hashable, Sendable {
    /// From 0 to 1. The profile is in if the configured traffic is greater.
    package let traffic: Double
    /// From 0 to 1. The range of shares that it falls into is the variant.
    package let distribution: Double

    package init(experience: String, stableID: String) {
        traffic = Murmur3.number("traffic-\(experience)-\(stableID)")
        distribution = Murmur3.number("distribution-\(experience)-\(stableID)")
    }

    /// Whether a profile that meets the audience is in.
    package func isIn(traffic configured: Double) -> Bool { configured > traffic }

    /// The position of the first range with `start ≤ number ≤ end`, where ranges are the running sums of the shares; 0 if no
    /// range fits. 0 is the baseline.
    package func variantIndex(shares: [Double]) -> Int {
        var start = 0.0
        for (index, share) in shares.enumerated() {
            let end = start + share
            if start <= distribution, distribution <= end { return index }
            start = end
        }
        return 0
    }
}
