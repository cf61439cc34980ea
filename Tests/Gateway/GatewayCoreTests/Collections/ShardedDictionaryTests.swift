import TestSeeds
import Testing

@testable import GatewayCore

struct ShardedDictionaryTests {
    private static let count = 10_000

    private static func filled() -> ShardedDictionary<Int, Int> {
        var dictionary = ShardedDictionary<Int, Int>()
        for key in 0..<count { dictionary[key] = -key }
        return dictionary
    }

    @Test(arguments: TestSeed.all([1, 2, 3]))
    func `it has what a dictionary has`(seed: TestSeed) {
        var generator = seed.generator
        var sharded = ShardedDictionary<Int, Int>()
        var plain: [Int: Int] = [:]
        for step in 0..<2000 {
            let key = Int.random(in: 0..<300, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                sharded[key] = step
                plain[key] = step
            case 1:
                sharded[key] = nil
                plain[key] = nil
            case 2:
                sharded[key]? += 1
                plain[key]? += 1
            default:
                let (removed, wanted) = (sharded.removeValue(forKey: key), plain.removeValue(forKey: key))
                #expect(removed == wanted)
            }
            #expect(sharded[key] == plain[key])
            #expect(sharded.count == plain.count)
        }
        #expect(sharded.keys.sorted() == plain.keys.sorted())
    }

    @Test func `an empty one has no parts`() {
        var dictionary = ShardedDictionary<Int, Int>()
        let removed = dictionary.removeValue(forKey: 1)
        #expect(removed == nil && dictionary[1] == nil)
        #expect(dictionary.keys.isEmpty && dictionary.shards.isEmpty)
    }

    @Test func `keys are spread over the parts`() {
        let sizes = Self.filled().shards.map(\.count)
        #expect(sizes.count == 256)
        // 39 on average.
        #expect(sizes.allSatisfy { (1..<120).contains($0) }, "\(sizes)")
    }

    @Test func `the first change after a copy copies one part`() {
        let dictionary = Self.filled()
        for change in [0, Self.count] {
            var changed = dictionary
            changed[change] = 7
            #expect(dictionary[change] != 7)
            #expect(changed.partsUnlike(dictionary) == 1)
        }
        var changed = dictionary
        _ = changed.removeValue(forKey: 0)
        #expect(changed.partsUnlike(dictionary) == 1)
        #expect(dictionary.partsUnlike(dictionary) == 0)
    }
}

extension ShardedDictionary {
    /// How many parts are not in the same memory as those of another one.
    func partsUnlike(_ other: ShardedDictionary) -> Int {
        zip(shards, other.shards).filter { mine, theirs in
            unsafeBitCast(mine, to: UInt.self) != unsafeBitCast(theirs, to: UInt.self)
        }.count
    }
}
