import TestSeeds
import Testing

@testable import GatewayCore

struct SequenceSetTests {
    @Test(arguments: TestSeed.all(1...5))
    func `it has what was inserted and not removed, in whatever order`(seed: TestSeed) {
        var generator = seed.generator
        var (set, expected) = (SequenceSet(), Set<UInt64>())
        var oldest: UInt64 = 0
        for _ in 0..<300 {
            if Int.random(in: 0..<20, using: &generator) == 0 {
                oldest += UInt64.random(in: 0..<200, using: &generator)
                set.removeAll(before: oldest)
                expected = expected.filter { $0 >= oldest }
            } else {
                let sequence = oldest + UInt64.random(in: 0..<500, using: &generator)
                set.insert(sequence)
                expected.insert(sequence)
            }
            let found = (oldest..<oldest + 600).filter { set.contains($0) }
            #expect(found == expected.sorted())
            let range = oldest..<oldest + 300
            let highest = expected.filter { range.contains($0) }.sorted(by: >).prefix(5)
            #expect(set.highest(5, in: range) == Array(highest))
        }
        #expect(set.heldBytes <= 8 * (700 / 64 + 2))
    }

    @Test func `numbers that are removed take no memory`() {
        var set = SequenceSet()
        set.insert(1000)
        set.insert(3)
        set.removeAll(before: 64)
        #expect(!set.contains(3) && set.contains(1000))
        set.removeAll(before: .max)
        #expect(set.heldBytes == 0 && !set.contains(1000))
        set.insert(.max)
        #expect(set.contains(.max) && set.heldBytes == 8)
    }
}
