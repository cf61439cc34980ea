import OptimizationSimulator
import Testing

/// The allocation of docs/reference/personalization.md 10.2.
struct AllocationTests {
    /// Every row of the table.
    @Test(
        arguments: [
            ("distribution-experience1-123", 465_026_293, 0.1082723711403721),
            ("distribution-experience1-456", 2_665_558_550, 0.6206237130380756),
            ("traffic-experience1-123", 2_842_294_211, 0.6617731907548786),
            ("traffic-experience1-456", 3_744_487_397, 0.8718314110003019),
            ("traffic-exp-1-profile-1", 4_262_086_241, 0.9923442830313799),
            ("traffic-exp-1-profile-2", 481_229_432, 0.11204495842383358),
            ("distribution-exp-1-profile-2", 1_469_691_991, 0.3421893323171393),
            ("", 0, 0.0), ("a", 1_009_084_850, 0.2349458751815711), ("abc", 3_017_643_002, 0.7025997626368421),
            ("hello", 613_153_351, 0.14276088940509615),
        ] as [(String, UInt32, Double)])
    func `a text has the hash and the number of the table`(text: String, hash: UInt32, number: Double) {
        #expect(Murmur3.hash(text) == hash)
        #expect(Murmur3.number(text) == number)
    }

    @Test func `both numbers are of the experience and the profile`() {
        let allocation = Allocation(experience: "experience1", stableID: "123")
        #expect(allocation.traffic == 0.6617731907548786 && allocation.distribution == 0.1082723711403721)
    }

    @Test func `in is who has a smaller number than the traffic, not the same`() {
        let allocation = Allocation(experience: "experience1", stableID: "123")
        #expect(!allocation.isIn(traffic: 0.66) && allocation.isIn(traffic: 0.67))
        #expect(!allocation.isIn(traffic: allocation.traffic), "greater, not equal")
        #expect(allocation.isIn(traffic: allocation.traffic.nextUp))
        #expect(allocation.isIn(traffic: 1) && !allocation.isIn(traffic: 0))
    }

    /// The number is 0.108….
    @Test(
        arguments: [
            ([0.5, 0.5], 0), ([0.1, 0.9], 1), ([0.05, 0.05, 0.9], 2), ([0, 1], 1), ([1], 0), ([], 0),
            ([0.05, 0.05], 0),
            ([0, 0, 0.2], 2),
        ] as [([Double], Int)])
    func `the first range that the number is in is the variant, and none is the baseline`(shares: [Double], index: Int)
    {
        #expect(Allocation(experience: "experience1", stableID: "123").variantIndex(shares: shares) == index)
    }

    @Test func `both ends of a range belong to it`() {
        let allocation = Allocation(experience: "experience1", stableID: "123")
        let number = allocation.distribution
        #expect(allocation.variantIndex(shares: [number, 1 - number]) == 0, "the end of the first range")
        #expect(allocation.variantIndex(shares: [number.nextDown, 1]) == 1)
        #expect(allocation.variantIndex(shares: [number, 0, 1]) == 0, "the first that fits")
    }

    @Test func `shares of many profiles come near to what is configured`() {
        let shares = [0.2, 0.3, 0.5]
        var counts = [0, 0, 0]
        for number in 0..<10_000 {
            counts[Allocation(experience: "exp", stableID: "profile-\(number)").variantIndex(shares: shares)] += 1
        }
        for (count, share) in zip(counts, shares) { #expect(abs(Double(count) / 10_000 - share) < 0.02) }
    }
}
