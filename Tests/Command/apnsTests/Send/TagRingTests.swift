import TestSeeds
import Testing

@testable import apns

struct TagRingTests {
    @Test(arguments: TestSeed.all(1...20))
    func `each tag is returned once, in any order and however many are open`(seed: TestSeed) {
        var generator = seed.generator
        var ring = TagRing()
        var open: [Int] = []
        var added = 0
        var taken = 0
        while taken < 5000 {
            if added < 5000, Bool.random(using: &generator) {
                for _ in 0..<Int.random(in: 1...900, using: &generator) {
                    ring.append(TagRing.Tag(number: added * 3, line: added + 1))
                    open.append(added)
                    added += 1
                }
            }
            for _ in 0..<Int.random(in: 0...600, using: &generator) {
                guard let place = open.indices.randomElement(using: &generator) else { break }
                open.swapAt(place, open.count - 1)
                let position = open.removeLast()
                let tag = ring.take(position)
                #expect(tag?.number == position * 3 && tag?.line == position + 1)
                let again = ring.take(position)
                #expect(again?.number == nil)
                taken += 1
            }
        }
        while let position = open.popLast() {
            let tag = ring.take(position)
            #expect(tag?.number == position * 3)
        }
        #expect(ring.isEmpty)
        let (beyond, before) = (ring.take(added), ring.take(-1))
        #expect(beyond?.number == nil && before?.number == nil)
    }
}
